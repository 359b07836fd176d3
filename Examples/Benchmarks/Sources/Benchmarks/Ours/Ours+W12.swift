import RecordStack

/// Walks all persons in pages by number, and drops each page.
final class OurPagesByNumber: Contender {
    let name = "ours by number"
    private let stack: ContextStack
    private let pages: Int

    init(_ stack: ContextStack, _ lab: Lab) {
        self.stack = stack
        pages = lab.scale.persons / PageWalk.size
    }

    private func eachPage(_ body: (Page<Person>) throws -> Void) throws {
        let context = stack.newContext()
        for number in 1...pages {
            try body(
                try Person.page(
                    number, size: PageWalk.size, sortedBy: .ascending(\.email), in: context))
        }
    }

    func run() throws {
        var found = 0
        try eachPage { page in
            guard page.total == pages * PageWalk.size else { throw Failure("a wrong total") }
            found += page.items.count
        }
        guard found == pages * PageWalk.size else { throw Failure("ours met \(found) rows") }
    }

    func fingerprint() throws -> Fingerprint {
        var fingerprint = Fingerprint()
        try eachPage { for person in $0.items { fingerprint.add(person.row) } }
        return fingerprint
    }
}

/// Walks all persons in pages by key, and drops each page.
final class OurPagesByKey: Contender {
    let name = "ours by key"
    private let stack: ContextStack
    private let count: Int

    init(_ stack: ContextStack, _ lab: Lab) {
        self.stack = stack
        count = lab.scale.persons
    }

    func run() throws {
        var found = 0
        try stack.eachPage { found += $0.items.count }
        guard found == count else { throw Failure("ours met \(found) rows") }
    }

    func fingerprint() throws -> Fingerprint { try stack.fingerprintByKey() }
}

/// Fetches one page by key, as many times as a walk has pages.
final class OurOnePage: Contender {
    enum Which: String {
        case first, last
    }

    let name: String
    private let stack: ContextStack
    private let pages: Int
    private let token: PageToken?

    init(_ stack: ContextStack, _ lab: Lab, _ which: Which) throws {
        self.stack = stack
        name = "ours, \(which.rawValue) page"
        pages = lab.scale.persons / PageWalk.size
        // Both begin behind a token: that of the second page, and that of the last page.
        var tokens: [PageToken] = []
        try stack.eachPage { if let next = $0.next { tokens.append(next) } }
        token = which == .first ? tokens.first : tokens.last
    }

    func run() throws {
        let context = stack.newContext()
        for _ in 0..<pages {
            let page = try Person.page(
                after: token, size: PageWalk.size, sortedBy: .ascending(\.email), in: context)
            guard page.items.count == PageWalk.size else {
                throw Failure("a page that is not full")
            }
        }
    }

    func fingerprint() throws -> Fingerprint { try stack.fingerprintByKey() }
}

extension ContextStack {
    /// Calls a closure with all persons in pages by key.
    fileprivate func eachPage(_ body: (KeysetPage<Person>) throws -> Void) throws {
        let context = newContext()
        var token: PageToken?
        repeat {
            let page = try Person.page(
                after: token, size: PageWalk.size, sortedBy: .ascending(\.email), in: context)
            try body(page)
            token = page.next
        } while token != nil
    }

    fileprivate func fingerprintByKey() throws -> Fingerprint {
        var fingerprint = Fingerprint()
        try eachPage { for person in $0.items { fingerprint.add(person.row) } }
        return fingerprint
    }
}
