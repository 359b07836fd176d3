import FoundationEssentials
import RecordStack
import RecordStackModel

/// Every read verb. An answer has the same text whether a context or the plain model gives it.
enum Verb: String, CaseIterable {
    case find, findFirst, findFirstByShelf, findFirstByNumber, one, count, exists, page
    case keysetPages, backwards, values, distinctValues, rows, groups, aggregates, distinctCount
    case objectIDs, lazily, each, snapshots, members, memberList

    struct Asked {
        let question: Question
        /// A number for other arguments of the verb: a value, a page number, a wing.
        let choice: Int
        let halls: [Int: ManagedObjectID]
    }

    // MARK: Answers of a context

    func answer(_ asked: Asked, in context: ManagedObjectContext) throws -> String {
        switch asked.question.kind {
        case .exhibit: try answer(asked, Exhibit.self, in: context)
        case .painting: try answer(asked, Painting.self, in: context)
        case .statue: try answer(asked, Statue.self, in: context)
        }
    }

    private func answer<Entity: Exhibit>(
        _ asked: Asked, _ type: Entity.Type, in context: ManagedObjectContext
    ) throws -> String {
        let request = asked.question.request(type, asked.halls)
        let all = asked.question.unlimited.request(type, asked.halls)
        let (choice, size) = (asked.choice, 1 + asked.choice % 4)
        switch self {
        case .find: return Self.text(try context.find(request).map(\.number))
        case .findFirst: return "\(try context.findFirst(all)?.number ?? -1)"
        case .findFirstByShelf:
            return "\(try Entity.findFirst(by: \.shelf, choice % 6, in: context)?.number ?? -1)"
        case .findFirstByNumber:
            return "\(try Entity.findFirst(by: \.number, choice % 40, in: context)?.number ?? -1)"
        case .one:
            do { return "\(try context.one(all).number)" } catch let error as RecordStackError {
                return "\(error.code)"
            }
        case .count: return "\(try context.count(request))"
        case .exists: return "\(try context.exists(request))"
        case .page:
            let page = try context.page(1 + choice % 3, size: size, of: all)
            return Self.text(page.items.map(\.number)) + " of \(page.total)"
        case .keysetPages: return Self.text(try Self.walk(all, size: size, in: context))
        case .backwards: return Self.text(try Self.walkBack(all, size: size, in: context))
        default: return try otherAnswer(asked, request, in: context)
        }
    }

    private func otherAnswer<Entity: Exhibit>(
        _ asked: Asked, _ request: FetchRequest<Entity>, in context: ManagedObjectContext
    ) throws -> String {
        switch self {
        case .values: return Self.text(try context.values(of: { $0.shelf }, for: request))
        case .distinctValues:
            let found = try context.values(
                of: { $0.code }, distinct: true, for: Self.plain(request))
            return "\(found.sorted())"
        case .rows:
            return "\(try context.rows(of: { ($0.number, $0.note) }, for: request))"
        case .groups: return try Self.groups(Self.plain(request), in: context)
        case .aggregates: return try Self.aggregates(Self.plain(request), in: context)
        case .distinctCount:
            return "\(try context.count(distinct: { $0.shelf }, for: Self.plain(request)))"
        case .objectIDs: return "\(try context.objectIDs(request).map(\.key))"
        case .lazily:
            let found = try context.findLazily(request, batch: 1 + asked.choice % 4)
            return Self.text(found.map(\.number)) + " \(found.count)"
        case .each:
            var numbers: [Int] = []
            try context.each(Self.plain(request), batch: 1 + asked.choice % 4) {
                numbers.append($0.number)
            }
            return Self.text(numbers)
        case .snapshots:
            return Self.text(try context.find(request).snapshots().map { $0.number })
        case .members, .memberList: return try memberAnswer(asked, in: context)
        default: preconditionFailure("answered before")
        }
    }

    /// Returns the request without its window.
    private static func plain<Entity: Exhibit>(
        _ request: FetchRequest<Entity>
    ) -> FetchRequest<Entity> {
        FetchRequest(filter: request.filter, sortKeys: request.sortKeys)
    }

    private func memberAnswer(_ asked: Asked, in context: ManagedObjectContext) throws -> String {
        guard let wing = try Wing.findFirst(by: \.number, asked.choice % 6, in: context) else {
            return "none"
        }
        if self == .memberList {
            return Self.text(wing.exhibits.map(\.number)) + " \(wing.exhibits.count)"
        }
        var request = wing.exhibits.request.sorted(by: asked.question.order.map { $0.sortKey() })
        let filter = asked.question.filter?.filter(FilterProxy<Exhibit>(), asked.halls)
        if let filter { request.filter = request.filter.map { $0 && filter } ?? filter }
        request.limit = asked.question.limit
        request.offset = asked.question.offset
        return Self.text(try context.find(request).map(\.number))
    }

    private static func walk<Entity: Exhibit>(
        _ request: FetchRequest<Entity>, size: Int, in context: ManagedObjectContext
    ) throws -> [Int] {
        var numbers: [Int] = []
        try context.eachPage(of: request, size: size) { numbers += $0.items.map(\.number) }
        return numbers
    }

    private static func walkBack<Entity: Exhibit>(
        _ request: FetchRequest<Entity>, size: Int, in context: ManagedObjectContext
    ) throws -> [Int] {
        var numbers: [Int] = []
        var token: PageToken?
        repeat {
            let page = try context.page(before: token, size: size, of: request)
            numbers = page.items.map(\.number) + numbers
            token = page.previous
        } while token != nil
        return numbers
    }

    private static func groups<Entity: Exhibit>(
        _ request: FetchRequest<Entity>, in context: ManagedObjectContext
    ) throws -> String {
        let rows = try context.groups(by: { $0.shelf }, of: request) { group, shelf in
            (shelf, group.count, group.sum { $0.weight }, group.max { $0.number })
        }
        return "\(rows.map { [Double($0.0), Double($0.1), $0.2, Double($0.3)] })"
    }

    private static func aggregates<Entity: Exhibit>(
        _ request: FetchRequest<Entity>, in context: ManagedObjectContext
    ) throws -> String {
        let sum = try context.sum(of: { $0.price }, for: request)
        let average = try context.average(of: { $0.weight }, for: request)
        let least = try context.min(of: { $0.shelf }, for: request)
        let longest = try context.max(of: { $0.note }, for: request)
        return "\(sum * 4) \(average ?? -1) \(least ?? -1) \(longest ?? "-")"
    }

    static func text(_ numbers: [Int]) -> String {
        "[\(numbers.map(String.init).joined(separator: " "))]"
    }
}
