import RecordStackModel

/// Reads each text as a format string, and checks that each filter reads the same after it is
/// printed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFormat(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let format = String(decoding: fuzzedBytes(start, count), as: UTF8.self)
    guard let filter = try? Filter(format: format, "a", 1, for: Thing.self) else {
        return 0
    }
    guard let printed = try? filter.formatString(for: Thing.self) else { return 0 }
    let again = try? Filter(format: printed, for: Thing.self)
    // The printed text may be longer than the input, so reading it may fail.
    requireFuzzed(again == nil || again == filter, "\(format)\n\(printed)")
    return 0
}
