import FoundationEssentials
import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

@Entity final class Voucher: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute(.indexed) var lane: Int?
    @Attribute var title: String = ""
}

/// Pages by key: the content of a token, the tokens that are refused, and the statements of a page.
@Suite("Pages by key") struct KeysetPageTests {
    private let test: TestStack
    private let context: ManagedObjectContext
    private let byLane = Voucher.all.sorted(by: [.ascending(\.lane), .descending(\.title)])

    /// Creates ten vouchers in the lanes nil, 0 and 1.
    init() throws {
        test = try TestStack(for: Voucher.self, at: .temporaryFile) { context in
            for number in 0..<10 {
                let ticket = try Voucher.create(in: context, number: number)
                ticket.lane = number % 3 == 2 ? nil : number % 3
                ticket.title = number < 5 ? "a" : "b"
            }
        }
        context = test.stack.newContext()
    }

    private func numbers(_ page: KeysetPage<Voucher>) -> [Int] { page.items.map(\.number) }

    @Test func `pages by key follow each other in both directions`() throws {
        let first = try context.page(after: nil, size: 4, of: byLane)
        #expect(numbers(first) == [5, 8, 2, 6] && first.previous == nil)
        let second = try context.page(after: first.next, size: 4, of: byLane)
        #expect(numbers(second) == [9, 0, 3, 7])
        let third = try context.page(after: second.next, size: 4, of: byLane)
        #expect(numbers(third) == [1, 4] && third.next == nil)
        #expect(
            try numbers(context.page(before: third.previous, size: 4, of: byLane)) == [9, 0, 3, 7])
        let last = try context.page(before: nil, size: 4, of: byLane)
        #expect(numbers(last) == [3, 7, 1, 4] && last.next == nil)
        let back = try Voucher.page(
            before: last.previous, size: 4, sortedBy: [.ascending(\.lane), .descending(\.title)],
            in: context)
        #expect(numbers(back) == [2, 6, 9, 0])
        #expect(try numbers(context.page(after: back.next, size: 4, of: byLane)) == [3, 7, 1, 4])
    }

    @Test func `a page token stays valid when its object is deleted`() throws {
        let first = try context.page(after: nil, size: 4, of: byLane)
        try first.items[3].delete()
        let new = try Voucher.create(in: context, number: 100)
        (new.lane, new.title) = (0, "aa")
        let second = try context.page(after: first.next, size: 4, of: byLane)
        #expect(numbers(second) == [9, 100, 0, 3])
        try context.saveAndWait()
        #expect(try numbers(context.page(before: second.previous, size: 2, of: byLane)) == [8, 2])
    }

    @Test func `the page before an empty page by key holds the last remaining objects`() throws {
        let request = Voucher.where { $0.number < 8 }
        let page = try context.page(after: nil, size: 4, of: request)
        #expect(numbers(page) == [0, 1, 2, 3])
        try Voucher.delete(in: context) { $0.number > 3 }
        let empty = try context.page(after: page.next, size: 4, of: request)
        #expect(empty.items.isEmpty && empty.next == nil)
        let back = try context.page(before: empty.previous, size: 2, of: request)
        #expect(numbers(back) == [2, 3])
        try Voucher.deleteAll(in: context)
        let none = try context.page(before: back.previous, size: 2, of: request)
        #expect(none.items.isEmpty && none.previous == nil && none.next != nil)
        let nothing = try context.page(after: nil, size: 2, of: request)
        #expect(nothing.items.isEmpty && nothing.next == nil && nothing.previous == nil)
    }

    @Test func `a page token is link-safe text and can be encoded as JSON`() throws {
        let token = try #require(try context.page(after: nil, size: 4, of: byLane).next)
        let text = "\(token)"
        #expect(text.utf8.allSatisfy { $0.isLinkSafe } && text.count < 80)
        #expect(PageToken(text) == token)
        let data = try JSONEncoder().encode(["next": token])
        #expect(try JSONDecoder().decode([String: PageToken].self, from: data) == ["next": token])
        #expect(PageToken("") == nil)
        let sent = try context.page(after: nil, size: 2, of: byLane).map(\.number)
        let received = try JSONDecoder().decode(
            KeysetPage<Int>.self, from: JSONEncoder().encode(sent))
        #expect(received == sent)
    }

    @Test func `a page token that was changed at any character throws misuse`() throws {
        let text = "\(try #require(try context.page(after: nil, size: 4, of: byLane).next))"
        for place in text.indices {
            var changed = text
            changed.replaceSubrange(place...place, with: text[place] == "A" ? "B" : "A")
            refuse(changed, "cut off or was changed")
            refuse(String(text[..<place]), "cut off or was changed")
        }
        refuse(text + "A", "cut off or was changed")
        for text in ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "junk%20token=", "a b", "ä", " "] {
            refuse(text, "cut off or was changed")
        }
    }

    /// Checks that an invalid token is refused, and never read as the first page.
    private func refuse(_ text: String, _ reason: String) {
        guard let token = PageToken(text) else {
            #expect(text.isEmpty)
            return
        }
        let error = #expect(throws: RecordStackError.self) {
            try context.page(after: token, size: 4, of: byLane)
        }
        #expect(error?.code == .misuse && error?.message.contains(reason) == true, "\(text)")
    }

    @Test func `a page token of another request or store throws misuse`() throws {
        let token = try #require(try context.page(after: nil, size: 4, of: byLane).next)
        let others = [
            Voucher.all, byLane.where { $0.number > 1 },
            Voucher.all.sorted(by: [.descending(\.lane), .descending(\.title)]),
            Voucher.all.sorted(by: [.ascending(\.lane, nulls: .last), .descending(\.title)]),
            Voucher.all.sorted(by: [.ascending(\.lane), .descending(\.title, .caseInsensitive)]),
            Voucher.all.sorted(by: [.ascending(\.number), .descending(\.title)]),
        ]
        for other in others {
            let error = #expect(throws: RecordStackError.self) {
                try context.page(after: token, size: 4, of: other)
            }
            #expect(error?.message.contains("another request") == true)
        }
        let elsewhere = try TestStack(for: Voucher.self).stack.newContext()
        #expect(throws: RecordStackError.self) {
            try elsewhere.page(after: token, size: 4, of: byLane)
        }
    }

    @Test func `reading pages by key with a bad size, limit or offset throws misuse`() async {
        for size in [0, -1, .min] {
            #expect(throws: RecordStackError.self) {
                try context.page(before: nil, size: size, of: byLane)
            }
            #expect(throws: RecordStackError.self) {
                try context.eachPage(of: byLane, size: size) { _ in }
            }
            #expect(throws: RecordStackError.self) {
                _ = try context.page(1, size: size, of: byLane)
            }
            await #expect(throws: RecordStackError.self) {
                try await context.each(byLane, batch: size) { _ in await Task.yield() }
            }
            #expect(throws: RecordStackError.self) {
                try context.page(after: nil, size: size, of: byLane)
            }
            #expect(throws: RecordStackError.self) {
                try context.each(byLane, batch: size) { _ in }
            }
        }
        for request in [byLane.limited(to: 3), byLane.offset(by: 1)] {
            let error = #expect(throws: RecordStackError.self) {
                try context.page(after: nil, size: 4, of: request)
            }
            #expect(error?.code == .misuse)
        }
        #expect(try! context.page(after: nil, size: .max, of: byLane).items.count == 10)
    }

    @Test func `a page by key runs few SELECTs and never uses OFFSET`() throws {
        let first = try context.page(after: nil, size: 4, of: byLane)
        let unindexed = Voucher.all.sorted(by: .ascending(\.title))
        let other = try context.page(after: nil, size: 4, of: unindexed)
        let statements = try test.recorder.statements {
            _ = try context.page(after: first.next, size: 4, of: byLane)
            _ = try context.page(after: other.next, size: 4, of: unindexed)
        }
        #expect(statements.filter { $0.hasPrefix("SELECT") }.count <= 5)
        #expect(!statements.contains { $0.contains("OFFSET") })
    }
}

extension UInt8 {
    fileprivate var isLinkSafe: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
