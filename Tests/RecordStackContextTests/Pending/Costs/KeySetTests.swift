import RecordStackModel
import TestSupport
import Testing

@Suite("KeySet") struct KeySetTests {
    @Test func `KeySet agrees with Set after random insertions and removals`() {
        var random = Seeded.fromEnvironment()
        var (keys, plain) = (KeySet(), Set<Int64>())
        for _ in 0..<20_000 {
            let key = Int64(random.below(700)) * (random.chance(20) ? 16 : 1) + 1
            if random.chance(55) {
                keys.insert(key)
                plain.insert(key)
            } else {
                keys.remove(key)
                plain.remove(key)
            }
            #expect(keys.contains(key) == plain.contains(key), "seed \(random.seed)")
        }
        #expect(keys.sorted == plain.sorted() && keys.count == plain.count)
    }

    @Test func `a copied key set keeps its keys when the original changes`() {
        var keys = KeySet([1, 2, 3])
        let copy = keys
        #expect(copy == keys)
        keys.insert(4)
        keys.remove(1)
        #expect(copy.sorted == [1, 2, 3] && keys.sorted == [2, 3, 4] && copy != keys)
    }

    @Test func `a key set ignores numbers that are not row keys`() {
        let keys = KeySet([0, -1, .min, 5])
        #expect(keys.sorted == [5] && !keys.contains(0) && !keys.contains(-1))
    }
}
