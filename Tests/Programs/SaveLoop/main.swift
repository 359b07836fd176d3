import Foundation
import RecordStack
import SaveLoopLedger
import TestSupport

// Saves in a loop until it is killed, and reports each save that has returned:
//     SaveLoop PATH FIRST-SAVE SEED
func say(_ line: String) {
    // Bypasses every buffer, because the text must be out before the kill.
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
