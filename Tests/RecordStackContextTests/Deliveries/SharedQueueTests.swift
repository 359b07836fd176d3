import RecordStackGraph
import TestSupport
import Testing

@Suite("Queues with many readers") struct SharedQueueTests {
    @Test func `each reader reads what was appended since it came`() {
        var queue = SharedQueue<String>(mostWeight: 100)
        let early = queue.addReader()
        queue.append("a", weight: 1)
        let late = queue.addReader()
        queue.append("b", weight: 1)
        #expect(queue.read(from: early, through: queue.last).elements == ["a", "b"])
        #expect(queue.read(from: late, through: queue.last).elements == ["b"])
        #expect(queue.count == 0 && queue.last == 2)
    }

    @Test func `what all have read goes`() {
        var queue = SharedQueue<Int>(mostWeight: .max)
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

    @Test func `without readers nothing is kept`() {
        var queue = SharedQueue<Int>(mostWeight: .max)
        for number in 1...10 { queue.append(number, weight: 1) }
        #expect(queue.count == 0 && queue.last == 10)
        let reader = queue.addReader()
        queue.append(11, weight: 1)
        #expect(reader == 11 && queue.elements(from: reader, through: 11) == [11])
    }

    @Test func `what is too much is dropped, but for the newest`() {
        var queue = SharedQueue<Int>(mostWeight: 10)
        let reader = queue.addReader()
        for number in 1...4 { queue.append(number, weight: 4) }
        #expect(queue.elements(from: reader, through: 4) == [nil, nil, 3, 4])
        queue.append(5, weight: 50)
        #expect(queue.read(from: reader, through: 5).elements == [nil, nil, nil, nil, 5])
    }

    @Test func `it does what a list for each reader does`() {
        var random = Seeded.fromEnvironment()
        let seed = random.seed
        for _ in 0..<200 {
            let most = 1 + random.below(60)
            var queue = SharedQueue<Int>(mostWeight: most)
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
                    let (elements, after) = queue.read(from: next, through: last)
                    #expect(elements.count == last - next + 1 && after == last + 1, "seed \(seed)")
                    // What is kept at least: the newest that weigh no more than the limit, and the newest of all.
                    var weight = 0
                    for number in stride(from: all.count, through: 1, by: -1) {
                        weight += all[number - 1].weight
                        guard next...max(next, last) ~= number, number <= last else { continue }
                        let element = elements[number - next]
                        #expect(element == nil || element == all[number - 1].element)
                        if weight <= most || number == all.count {
                            #expect(element == all[number - 1].element, "seed \(seed)")
                        }
                    }
                    readers[reader] = after
                default:
                    let weight = 1 + random.below(20)
                    all.append((step, weight))
                    queue.append(step, weight: weight)
                    #expect(queue.last == all.count)
                }
                // Nothing is kept that all have read.
                let slowest = readers.min() ?? all.count + 1
                #expect(queue.count <= all.count + 1 - slowest, "seed \(seed)")
            }
        }
    }
}
