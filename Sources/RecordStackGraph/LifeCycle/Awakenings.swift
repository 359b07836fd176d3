/// Counts the calls of `awakeFromFetch()` that run inside one another.
///
/// A hook may load objects whose hooks load objects. Each level takes room on the thread's stack. A
/// hook that makes the context forget its objects would go on for ever.
struct Awakenings {
    /// The most hooks that may run inside one another, of one context or of several.
    ///
    /// Half a megabyte of stack, which the threads of queues have, is enough for that many hooks.
    static let deepest = 50
    private static let mostNested = 100_000

    private var depth = 0
    private var nested = 0
    /// The objects whose hooks are running. The callers of the hooks retain them.
    private var objects: Set<ObjectIdentifier> = []

    /// Whether so many hooks ran inside one hook that no further objects are awoken in it.
    var isExhausted: Bool { nested >= Self.mostNested }

    /// Whether the hook of an object is running.
    func isAwaking(_ object: ManagedObject) -> Bool {
        depth > 0 && objects.contains(ObjectIdentifier(object))
    }

    mutating func begin(_ object: ManagedObject) {
        if depth > 0 { nested += 1 }
        depth += 1
        objects.insert(ObjectIdentifier(object))
    }

    mutating func end(_ object: ManagedObject) {
        depth -= 1
        objects.remove(ObjectIdentifier(object))
        if depth == 0 { nested = 0 }
    }
}
