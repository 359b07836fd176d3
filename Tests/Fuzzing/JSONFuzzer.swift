import RecordStackImport

/// Compares the scanner with the oracle of the tests on each text that libFuzzer generates.
///
/// The scanner must agree with the oracle also when it skips values, and when the text arrives in
/// two pieces. `Tests/fuzz` builds and runs the fuzzer.
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

/// Crashes the program and prints the text, which libFuzzer keeps as well.
private func require(_ condition: Bool, _ message: String, _ bytes: [UInt8]) {
    if condition { return }
    // A crash is the only way to report a finding to libFuzzer.
    fatalError("\(message)\n\(String(decoding: bytes, as: UTF8.self))\n\(bytes)")
}

private func isSkipped(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in
        // The scanner's life ends before the pointer becomes invalid.
        var scanner = JSONScanner(buffer)
        guard (try? scanner.skipValue()) == true else { return false }
        return (try? scanner.next()) == .endOfInput
    }
}
