import RecordStackImport

/// What libFuzzer calls with each text that it makes up: the scanner has to read it as the oracle of the tests does, also
/// when it skips values, and when the text comes in two pieces.
///
/// `Tests/fuzz` builds and runs it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let tree = try? JSONTreeReader.read(bytes).get()
    require(tree == JSONOracle.read(bytes), "The oracle reads it otherwise.", bytes)
    require(isSkipped(bytes) == (tree != nil), "Skipping takes it for something else.", bytes)
    let whole = jsonTokens(bytes)
    let pieces = jsonTokens(bytes, inPieces: [max(count / 2, 1), max(count - count / 2, 1)])
    require(whole.seen == pieces.seen, "In two pieces it has other tokens.", bytes)
    require((whole.error == nil) == (pieces.error == nil), "One piece alone is refused.", bytes)
    return 0
}

/// Ends the program with the text, which libFuzzer keeps as well.
private func require(_ condition: Bool, _ message: String, _ bytes: [UInt8]) {
    if condition { return }
    // The one way to tell libFuzzer of a finding is to crash.
    fatalError("\(message)\n\(String(decoding: bytes, as: UTF8.self))\n\(bytes)")
}

private func isSkipped(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in
        // The scanner ends before the pointer does.
        var scanner = JSONScanner(buffer)
        guard (try? scanner.skipValue()) == true else { return false }
        return (try? scanner.next()) == .endOfInput
    }
}
