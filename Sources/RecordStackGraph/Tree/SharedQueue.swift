/// A queue that many readers read, each at its own pace. What all have read goes; and what is left for readers who stand still
/// weighs no more than a limit: beyond that the oldest elements are dropped unread, but never the newest.
///
/// ```swift
/// var queue = SharedQueue<String>(mostWeight: 100)
/// var place = queue.addReader()
/// queue.append("first", weight: 1)
/// let (elements, next) = queue.read(from: place, through: queue.last)   // ["first"]
/// ```
///
/// Appending and reading an element take constant time on the average, however many readers there are.
package struct SharedQueue<Element> {
    private struct Slot {
        /// Nil for one that was dropped.
        var element: (value: Element, weight: Int)?
        /// How many readers read it next.
        var readers: Int
    }

    /// What may be left unread.
    private let mostWeight: Int
    /// The elements that not all have read; those before ``start`` are gone.
    private var slots: ContiguousArray<Slot> = []
    /// The place of the first element that is not gone.
    private var start = 0
    /// The place of the first element that was not dropped.
    private var firstKept = 0
    private var weight = 0
    /// The number of the first element that is not gone, or of the next one.
    private var first = 1
    /// How many readers have read everything.
    private var idleReaders = 0
    private var readers = 0

    package init(mostWeight: Int) { self.mostWeight = mostWeight }

    /// The number of the last element; 0 before there is one. The first has number 1.
    package var last: Int { first + slots.count - start - 1 }

    /// How many elements are kept.
    package var count: Int { slots.count - firstKept }

    /// Adds a reader of all that is appended from now on.
    /// - Returns: the number of the element that it reads next.
    package mutating func addReader() -> Int {
        readers += 1
        idleReaders += 1
        return last + 1
    }

    /// - Parameter next: the number of the element that the reader would have read next.
    package mutating func removeReader(at next: Int) {
        readers -= 1
        leave(next)
    }

    package mutating func append(_ element: Element, weight: Int) {
        if readers == 0 {
            first += 1
            return
        }
        slots.append(Slot(element: (element, weight), readers: idleReaders))
        idleReaders = 0
        self.weight += weight
        while self.weight > mostWeight && firstKept < slots.count - 1 { dropFirstKept() }
    }

    /// The elements from one that a reader reads next to another one; nil for those that were dropped.
    ///
    /// - Parameter last: no larger than ``last``.
    /// - Returns: them, and the number of the element that the reader reads next.
    package mutating func read(
        from next: Int, through last: Int
    ) -> (elements: [Element?], next: Int) {
        guard next <= last else { return ([], next) }
        let elements = elements(from: next, through: last)
        if last == self.last { idleReaders += 1 } else { slots[place(of: last + 1)].readers += 1 }
        leave(next)
        return (elements, last + 1)
    }

    /// The same, without reading.
    package func elements(from next: Int, through last: Int) -> [Element?] {
        guard next <= last else { return [] }
        return (next...last).map { slots[place(of: $0)].element?.value }
    }

    private func place(of number: Int) -> Int { start + number - first }

    private mutating func dropFirstKept() {
        weight -= slots[firstKept].element?.weight ?? 0
        slots[firstKept].element = nil
        firstKept += 1
    }

    private mutating func leave(_ next: Int) {
        if next > last { return idleReaders -= 1 }
        slots[place(of: next)].readers -= 1
        while start < slots.count && slots[start].readers == 0 {
            if firstKept == start { dropFirstKept() }
            start += 1
            first += 1
        }
        compact()
    }

    /// Moving what is left for each element that goes would make it dear.
    private mutating func compact() {
        if start < 64 && start < slots.count || start * 2 < slots.count { return }
        slots.removeFirst(start)
        firstKept -= start
        start = 0
    }
}
