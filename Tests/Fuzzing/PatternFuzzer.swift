import RecordStackModel

/// Reads the text before the first newline as a regular expression, and matches it against the
/// rest.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPattern(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = fuzzedBytes(start, count)
    let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
    let pattern = String(decoding: bytes[..<end], as: UTF8.self)
    let text = String(decoding: bytes[end...].dropFirst(), as: UTF8.self)
    for options in [[], .caseInsensitive] as [TextOptions] {
        guard let matcher = try? TextMatcher(.matches, pattern, options) else { continue }
        _ = try? matcher.holds(text)
        _ = try? matcher.holds(pattern)
    }
    return 0
}
