/// Counts the calls of `awakeFromFetch()` that run inside one another.
///
/// A hook may load objects whose hooks load objects. Each level takes room on the thread's stack. A
/// hook that makes the context forget its objects would go on for ever.
struct Awakenings {
    /// The most hooks that may run inside one another, of one context or of several.
    ///
    /// Half a megabyte of stack, which the threads of queues have, is enough for that many hooks.
    static let deepest = 50
    /// The most calls for one row inside a hook. More calls mean that hooks reload their objects
    /// without end.
    private static let mostForRow = 100

    private struct Row: Hashable {
        let type: ObjectIdentifier
        let key: Int64
    }

    private var depth = 0
    /// The calls inside the outermost hook, by row.
    private var calls: [Row: Int] = [:]
    /// True if hooks have reloaded their objects so often that no further objects are awoken inside
    /// the outermost hook.
    private(set) var isExhausted = false
    /// The objects whose hooks are running. The callers of the hooks retain them.
    private var objects: Set<ObjectIdentifier> = []

    /// Whether the hook of an object is running.
    func isAwaking(_ object: ManagedObject) -> Bool {
        depth > 0 && objects.contains(ObjectIdentifier(object))
    }

    mutating func begin(_ object: ManagedObject) {
        if depth > 0 {
            let row = Row(type: ObjectIdentifier(type(of: object)), key: object.keyValue)
            calls[row, default: 0] += 1
            if calls[row, default: 0] >= Self.mostForRow { isExhausted = true }
        }
        depth += 1
        objects.insert(ObjectIdentifier(object))
    }

    mutating func end(_ object: ManagedObject) {
        depth -= 1
        objects.remove(ObjectIdentifier(object))
        if depth == 0 { (calls, isExhausted) = ([:], false) }
    }
}
