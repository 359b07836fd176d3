/// How many hooks of `awakeFromFetch()` are under way in one another, and how many were called so.
///
/// A hook may load objects whose hooks load objects. Each level takes room on the thread's stack, and a hook that has
/// the context forget what it holds would go on for ever.
struct Awakenings {
    /// Half a megabyte of stack, which threads of queues have, is enough for so many hooks in one another, of one context
    /// or of several.
    static let deepest = 50
    private static let mostNested = 100_000

    private var depth = 0
    private var nested = 0
    /// Those whose hook is under way, each of which its caller holds.
    private var objects: Set<ObjectIdentifier> = []

    /// Whether so many were called inside of one that no more objects are to be woken in it.
    var isExhausted: Bool { nested >= Self.mostNested }

    /// Whether the hook of an object is under way.
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
