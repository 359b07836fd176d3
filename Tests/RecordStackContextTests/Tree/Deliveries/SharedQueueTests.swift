import RecordStackGraph
import TestSupport
import Testing

@Suite("Queues with many readers") struct SharedQueueTests {
    @Test func `a SharedQueue gives each reader the elements appended since it joined`() {
        var queue = SharedQueue<String>(maxWeight: 100)
        let early = queue.addReader()
        queue.append("a", weight: 1)
        let late = queue.addReader()
        queue.append("b", weight: 1)
        #expect(queue.read(from: early, through: queue.last).elements == ["a", "b"])
        #expect(queue.read(from: late, through: queue.last).elements == ["b"])
        #expect(queue.count == 0 && queue.last == 2)
    }

    @Test func `a SharedQueue drops elements that all of its readers have read`() {
        var queue = SharedQueue<Int>(maxWeight: .max)
        var (fast, slow) = (queue.addReader(), queue.addReader())
        for number in 1...1_000 {
            queue.append(number, weight: 1)
            fast = queue.read(from: fast, through: queue.last).next
        }
        #expect(queue.count == 1_000)
        slow = queue.read(from: slow, through: 400).next
        #expect(slow == 401 && queue.count == 600)
        queue.removeReader(at: slow)
        #expect(queue.count == 0)
    }

    @Test func `a SharedQueue without readers drops every appended element`() {
        var queue = SharedQueue<Int>(maxWeight: .max)
        for number in 1...10 { queue.append(number, weight: 1) }
        #expect(queue.count == 0 && queue.last == 10)
        let reader = queue.addReader()
        queue.append(11, weight: 1)
        #expect(reader == 11 && queue.read(from: reader, through: 11).elements == [11])
    }

    @Test func `a SharedQueue over its weight limit drops its oldest elements first`() {
        var queue = SharedQueue<Int>(maxWeight: 10)
        let (slow, slower) = (queue.addReader(), queue.addReader())
        for number in 1...4 { queue.append(number, weight: 4) }
        let reading = queue.read(from: slow, through: 4)
        #expect(reading.missed == 1..<3 && reading.elements == [3, 4] && reading.next == 5)
        queue.append(5, weight: 50)
        let late = queue.read(from: slower, through: 5)
        #expect(late.missed == 1..<5 && late.elements == [5] && queue.count == 1)
    }

    @Test func `a SharedQueue reader that lags can miss all elements that it asks for`() {
        var queue = SharedQueue<Int>(maxWeight: 2)
        let reader = queue.addReader()
        for number in 1...9 { queue.append(number, weight: 1) }
        let reading = queue.read(from: reader, through: 5)
        #expect(reading.missed == 1..<6 && reading.elements.isEmpty && reading.next == 6)
        let rest = queue.read(from: reading.next, through: 9)
        #expect(rest.missed == 6..<8 && rest.elements == [8, 9] && queue.count == 0)
    }

    @Test func `a SharedQueue does not grow beyond its limit if a reader never reads`() {
        var queue = SharedQueue<Int>(maxWeight: 10)
        let reader = queue.addReader()
        for number in 1...1_000_000 { queue.append(number, weight: 1) }
        #expect(queue.count == 10)
        #expect(queue.capacity < 1_000)
        queue.removeReader(at: reader)
        #expect(queue.count == 0)
    }

    @Test func `random reads of a SharedQueue miss only elements over its weight limit`() {
        var random = Seeded.fromEnvironment()
        let seed = random.seed
        for _ in 0..<200 {
            let most = 1 + random.below(60)
            var queue = SharedQueue<Int>(maxWeight: most)
            var (all, readers): ([(element: Int, weight: Int)], [Int]) = ([], [])
            for step in 0..<300 {
                switch random.below(10) {
                case 0: readers.append(queue.addReader())
                case 1 where !readers.isEmpty:
                    queue.removeReader(at: readers.remove(at: random.below(readers.count)))
                case 2...4 where !readers.isEmpty:
                    let reader = random.below(readers.count)
                    let next = readers[reader]
                    let last = next - 1 + random.below(all.count - next + 2)
                    let reading = queue.read(from: next, through: last)
                    #expect(
                        reading.next == last + 1 && reading.missed.lowerBound == next,
                        "seed \(seed)")
                    #expect(
                        reading.elements
                            == (reading.missed.upperBound..<last + 1).map { all[$0 - 1].element },
                        "seed \(seed)")
                    // Missed elements are older than the newest elements within the weight limit,
                    // and older than the newest element.
                    var (weight, kept) = (0, all.count + 1)
                    while kept > 1 && (kept > all.count || weight + all[kept - 2].weight <= most) {
                        kept -= 1
                        weight += all[kept - 1].weight
                    }
                    #expect(
                        reading.missed.isEmpty || reading.missed.upperBound <= kept, "seed \(seed)")
                    readers[reader] = reading.next
                default:
                    let weight = 1 + random.below(20)
                    all.append((step, weight))
                    queue.append(step, weight: weight)
                    #expect(queue.last == all.count)
                }
                // The queue keeps no element that every reader has read.
                let slowest = readers.min() ?? all.count + 1
                #expect(queue.count <= all.count + 1 - slowest, "seed \(seed)")
            }
        }
    }
}
