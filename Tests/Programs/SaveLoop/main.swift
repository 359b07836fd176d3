import Foundation
import RecordStack
import SaveLoopLedger
import TestSupport

// Saves in a loop until somebody kills it, and says after each save that it has returned:
// SaveLoop PATH FIRST-SAVE SEED
func say(_ line: String) {
    // At once and past every buffer: what is said must be out before the kill.
    let bytes = Array((line + "\n").utf8)
    _ = write(1, bytes, bytes.count)
}

let arguments = CommandLine.arguments
let stack = try Bookkeeper.open(arguments[1])
try Bookkeeper.openAccounts(stack)
var number = Int(arguments[2])!
var random = Seeded(seed: UInt64(arguments[3])!)
say("open")
while true {
    let largest = try Bookkeeper.save(number, &random, stack)
    say("saved \(number) \(largest)")
    number += 1
}
