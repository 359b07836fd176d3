import RecordStackModel

/// Reads each text as an ID, and checks that each ID reads the same after it is written.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzID(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let text = String(decoding: fuzzedBytes(start, count), as: UTF8.self)
    for text in [text, "recordstack://6F9619FF-8B86-D011-B42D-00C04FC964FF/" + text] {
        guard let id = ManagedObjectID(text) else { continue }
        requireFuzzed(ManagedObjectID(id.description) == id, text)
    }
    return 0
}
