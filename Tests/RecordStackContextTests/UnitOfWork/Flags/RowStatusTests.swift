import RecordStackGraph
import TestSupport
import Testing

@Suite("Row status") struct RowStatusTests {
    private typealias Event = RowStatus.Event

    private func status(_ text: Substring) -> RowStatus {
        RowStatus(names: text.split(separator: "+").map(String.init))
    }

    /// Returns the changes that were recorded while random scripts ran, without the functions that
    /// made them.
    private func recorded() throws -> [(before: RowStatus, after: RowStatus, line: String)] {
        try ["Recorded/awaited.txt", "Recorded/merges.txt", "Recorded/waited.txt"].flatMap { name in
            try RecordedLines(name).read().map { line in
                let words = line.split(separator: " ")
                let (before, after) = (words[words.count - 3], words[words.count - 1])
                return (status(before), status(after == "same" ? before : after), line)
            }
        }
    }

    @Test func `one RowStatus event can make each recorded change of an object's flags`() throws {
        let lines = try recorded()
        #expect(lines.count > 500)
        for (before, after, line) in lines {
            let events = Event.allCases.filter { event in
                var status = before
                status.apply(event)
                return status == after
            }
            #expect(!events.isEmpty, "\(line)")
        }
    }

    @Test func `no object in the recorded runs has contradictory flags`() throws {
        for (before, after, line) in try recorded() {
            #expect(before.isPossible && after.isPossible, "\(line)")
        }
    }

    @Test func `RowStatus isPossible is false for flags that contradict each other`() {
        for names in [
            ["inserted", "stored"], ["orphaned"], ["detached", "dirty"],
            ["detached", "gone", "reset"], ["gone"], ["stored", "reset"],
        ] {
            #expect(!RowStatus(names: names).isPossible, "\(names)")
        }
    }

    @Test func `RowStatus event rowInsertedAsShown acts like rowInserted, then cleaned`() {
        var (fast, slow) = (RowStatus.new, RowStatus.new)
        fast.apply(.rowInsertedAsShown)
        slow.apply(.rowInserted)
        slow.apply(.cleaned)
        #expect(fast == slow)
    }

    @Test func `RowStatus apply tells if an event shows, hides or orphans an object`() {
        var status = RowStatus(names: ["stored"])
        #expect(status.apply(.edited) == [])
        #expect(status.apply(.orphaned) == [.hides, .orphans])
        #expect(status.apply(.orphaned) == [])
        #expect(status.apply(.broughtToLight) == .shows)
        #expect(status.apply(.deleted) == .hides)
        // An ancestor has deleted the object, and it is edited here.
        #expect(status.apply(.edited) == .orphans)
        #expect(status.apply(.rowReinserted) == .shows)
        #expect(status.names == ["dirty", "stored"])
    }

    @Test func `applying the same RowStatus event twice changes flags only once`() {
        for event in Event.allCases {
            for names in [["stored"], ["inserted", "dirty"], ["deleted", "dirty", "stored"]] {
                var status = RowStatus(names: names)
                status.apply(event)
                let once = status
                #expect(status.apply(event) == [] && status == once, "\(event), \(names)")
            }
        }
    }
}
