/// A queue that many readers read, each at its own pace.
///
/// The queue removes an element once all readers have read it. The elements that remain for slow
/// readers weigh at most a limit. Beyond that limit, the queue drops the oldest unread elements,
/// but never the newest element.
///
/// ```swift
/// var queue = SharedQueue<String>(maxWeight: 100)
/// let next = queue.addReader()
/// queue.append("first", weight: 1)
/// let reading = queue.read(from: next, through: queue.last)   // reading.elements: ["first"]
/// ```
///
/// Appending or reading an element takes constant amortized time, however many readers there are.
package struct SharedQueue<Element> {
    private struct Slot {
        /// The element; nil once it was removed.
        var element: Element?
        let weight: Int
        /// The number of readers that read this element next.
        var readers: Int
    }

    /// The result of a read.
    package struct Reading {
        /// The elements, oldest first.
        package let elements: [Element]
        /// The numbers of elements that were dropped unread. They precede ``elements``.
        package let missed: Range<Int>
        /// The number of the element to read next.
        package let next: Int
    }

    private let maxWeight: Int
    private var slots: ContiguousArray<Slot> = []
    /// The index of the first slot whose element was not removed.
    private var start = 0
    private var weight = 0
    /// The number of the first element that was not removed, or of the next element to append.
    private var first = 1
    /// The number of readers that have read everything.
    private var idleReaders = 0
    private var readers = 0

    package init(maxWeight: Int) { self.maxWeight = maxWeight }

    /// The number of the last element. The first element has number 1; without elements, it is 0.
    package var last: Int { first + count - 1 }

    /// The number of elements that some reader has not read.
    package var count: Int { slots.count - start }

    /// The number of slots, including those of removed elements.
    ///
    /// It is at most ``count`` plus 64, or twice ``count``.
    package var capacity: Int { slots.count }

    /// Adds a reader of all elements that are appended from now on.
    ///
    /// - Returns: the number of the element that the reader reads next.
    package mutating func addReader() -> Int {
        readers += 1
        idleReaders += 1
        return last + 1
    }

    /// Removes a reader.
    ///
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
        slots.append(Slot(element: element, weight: weight, readers: idleReaders))
        idleReaders = 0
        self.weight += weight
        while self.weight > maxWeight && count > 1 { dropFirst() }
        compact()
    }

    /// Reads the elements from a reader's next one through another one.
    ///
    /// - Parameter last: the number of the last element to read, no larger than ``last``.
    package mutating func read(from next: Int, through last: Int) -> Reading {
        guard next <= last else { return Reading(elements: [], missed: next..<next, next: next) }
        let missed = next..<min(max(next, first), last + 1)
        let elements = (missed.upperBound..<last + 1).compactMap { slots[index(of: $0)].element }
        if !elements.isEmpty {
            // The reader is counted at its new element before it leaves the old one, so the
            // elements in between remain.
            if last == self.last {
                idleReaders += 1
            } else {
                slots[index(of: last + 1)].readers += 1
            }
            leave(next)
        }
        return Reading(elements: elements, missed: missed, next: last + 1)
    }

    /// Returns the elements from a reader's next one on, without reading them.
    package func unread(from next: Int) -> [Element] {
        guard max(next, first) <= last else { return [] }
        return slots[index(of: max(next, first))...].compactMap(\.element)
    }

    /// Returns the number of the last element that satisfies a condition.
    ///
    /// If no element does, it returns the number before that of the first kept element.
    package func last(where condition: (Element) -> Bool) -> Int {
        var index = slots.count
        while index > start, let element = slots[index - 1].element, !condition(element) {
            index -= 1
        }
        return first + index - start - 1
    }

    private func index(of number: Int) -> Int { start + number - first }

    /// Moves the readers of the first element to the second, so that a slow reader keeps no slot.
    private mutating func dropFirst() {
        slots[start + 1].readers += slots[start].readers
        removeFirst()
    }

    private mutating func removeFirst() {
        weight -= slots[start].weight
        slots[start].element = nil
        start += 1
        first += 1
    }

    private mutating func leave(_ next: Int) {
        // The readers of dropped elements were moved to the first remaining one.
        let number = max(next, first)
        if number > last { return idleReaders -= 1 }
        slots[index(of: number)].readers -= 1
        removeRead()
    }

    private mutating func removeRead() {
        while start < slots.count && slots[start].readers == 0 { removeFirst() }
        compact()
    }

    /// Moves the remaining slots to the front, at most once for each removed slot.
    private mutating func compact() {
        if start < 64 && start < slots.count || start * 2 < slots.count { return }
        slots.removeFirst(start)
        start = 0
    }
}
