import Foundation
import RecordStack

extension Question {
    /// Questions in other forms of requests, and ways to inspect a request.
    @MainActor static let requests = [
        Question("Which is the only film with the best rating?") { context in
            let best = try Movie.max(of: \.rating, in: context)
            do {
                return table(of: [try Movie.one(in: context) { $0.rating == best }])
            } catch let error as RecordStackError
                where error.code == .notUnique || error.code == .notFound
            {
                return Table().noted(error.message)
            }
        },
        Question("What did the public like, and the critics did not?") { context in
            // Foundation's #Predicate instead of a closure, with the same meaning.
            let movies = try Movie.find(
                matching: Filter(
                    #Predicate<Movie> { ($0.rating ?? 0) >= 6.5 && ($0.critics ?? 100) < 53 }),
                sortedBy: [.descending(\.rating), .ascending(\.title)], limit: 5, in: context)
            return Table("Film", "#Rating", "#Critics").adding(movies) {
                [$0.title, $0.rating, $0.critics]
            }
        },
        Question("What fits a condition that came as text?") { context in
            let movies = try Movie.find(
                matching: .format(
                    "title LIKE[c] %@ AND SUBQUERY(genre.movies, $m, $m.rating > 8).@count > 0",
                    "the *"), sortedBy: .descending(\.rating), limit: 5, in: context)
            return table(of: movies)
        },
        Question("How is a film looked up by the beginning of its title?") { context in
            let explanation = try context.explain(
                Movie.where { $0.title.hasPrefix("The ") }.sorted(by: .ascending(\.title)).limited(
                    to: 5))
            let columns = explanation.sql.components(separatedBy: " FROM ")[0]
            let sql = explanation.sql.dropFirst(columns.count)
            return Table().noted("SELECT …\(sql)")
                .noted("Values: \(explanation.bindings.map { "\($0)" }.joined(separator: ", "))")
                .noted("Plan: \(explanation.plan.joined(separator: "; "))")
                .noted("Index: \(explanation.indexes.joined(separator: ", "))")
        },
    ]
}
