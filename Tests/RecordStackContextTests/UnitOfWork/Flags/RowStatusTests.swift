import RecordStackGraph
import TestSupport
import Testing

@Suite("The status of rows") struct RowStatusTests {
    private typealias Event = RowStatus.Event

    private func status(_ text: Substring) -> RowStatus {
        RowStatus(names: text.split(separator: "+").map(String.init))
    }

    /// What was recorded while random scripts ran, without the places.
    private func recorded() throws -> [(before: RowStatus, after: RowStatus, line: String)] {
        try ["Recorded/awaited.txt", "Recorded/merges.txt", "Recorded/waited.txt"].flatMap { name in
            try RecordedLines(name).read().map { line in
                let words = line.split(separator: " ")
                let (before, after) = (words[words.count - 3], words[words.count - 1])
                return (status(before), status(after == "same" ? before : after), line)
            }
        }
    }

    @Test func `every change that was seen is one of an event`() throws {
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

    @Test func `every status that was seen is possible`() throws {
        for (before, after, line) in try recorded() {
            #expect(before.isPossible && after.isPossible, "\(line)")
        }
    }

    @Test func `what cannot be is told`() {
        for names in [
            ["inserted", "stored"], ["orphaned"], ["detached", "dirty"],
            ["detached", "gone", "reset"], ["gone"], ["stored", "reset"],
        ] {
            #expect(!RowStatus(names: names).isPossible, "\(names)")
        }
    }

    @Test func `an insertion as it shows is an insertion and nothing left to save`() {
        var (fast, slow) = (RowStatus.new, RowStatus.new)
        fast.apply(.rowInsertedAsShown)
        slow.apply(.rowInserted)
        slow.apply(.cleaned)
        #expect(fast == slow)
    }

    @Test func `the effects tell what an object enters and leaves`() {
        var status = RowStatus(names: ["stored"])
        #expect(status.apply(.edited) == [])
        #expect(status.apply(.orphaned) == [.hides, .orphans])
        #expect(status.apply(.orphaned) == [])
        #expect(status.apply(.broughtToLight) == .shows)
        #expect(status.apply(.deleted) == .hides)
        // An ancestor deletes it, and it is changed here.
        #expect(status.apply(.edited) == .orphans)
        #expect(status.apply(.rowReinserted) == .shows)
        #expect(status.names == ["dirty", "stored"])
    }

    @Test func `an event after itself changes nothing`() {
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
