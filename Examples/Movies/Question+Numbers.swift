import Foundation
import RecordStack

extension Question {
    /// Questions whose answers are numbers, which the store computes without creating objects.
    @MainActor static let numbers = [
        Question("How many films are there of each certificate, and is any of them a long one?") {
            context in
            try Table("Certificate", "#Films", "Over two hours").adding(
                [nil] + Certificate.allCases
            ) { certificate in
                let count = try Movie.count(in: context) { $0.certificate == certificate }
                let isLong = try Movie.exists(in: context) {
                    $0.certificate == certificate && $0.minutes > 120
                }
                return [certificate?.rawValue ?? "unknown", count, isLong ? "yes" : "no"]
            }
        },
        Question("What did the films of this century cost and earn?") { context in
            let turn = try Date("2001-01-01T00:00:00Z", strategy: .iso8601)
            let request = Movie.where { $0.released >= turn }
            let average = try context.average(of: \.budget, for: request).map { Int($0) }
            return Table("", "#Dollars").adding([
                ("All budgets", try context.sum(of: \.budget, for: request)),
                ("All earnings", try context.sum(of: \.worldwide, for: request)),
                ("An average budget", average),
                ("The smallest budget", try context.min(of: \.budget, for: request)),
                ("The largest budget", try context.max(of: \.budget, for: request)),
            ]) { [$0.0, millions($0.1)] }
        },
        Question("Where do the stories come from?") { context in
            let sources = try Movie.values(
                of: \.source, distinct: true, sortedBy: .ascending(\.source), in: context
            ) { $0.source != nil }
            return Table("Source").adding(sources) { [$0] }
        },
        Question("Which genres with at least five films are rated best?") { context in
            let rows = try Movie.groups(
                by: \.genre.name, in: context, where: { $0.genre != nil }, having: { $0.count >= 5 }
            ) { movies, genre in
                (genre, movies.count, movies.average { $0.rating }, movies.max { $0.rating })
            }
            let best = rows.sorted { ($0.2 ?? 0) > ($1.2 ?? 0) }
            return Table("Genre", "#Films", "#Average", "#Best")
                .adding(best.prefix(8)) { [$0.0, $0.1, $0.2, $0.3] }
        },
        Question("Which films earned ten times what they cost?") { context in
            // The query creates no objects, so the director's name is a value at the end of a step,
            // and may be missing.
            let rows = try Movie.rows(
                of: { ($0.title, $0.director.name.optional, $0.worldwide / $0.budget) },
                sortedBy: .descending { $0.worldwide / $0.budget }, limit: 6, in: context
            ) { $0.worldwide >= $0.budget * 10 }
            return Table("Film", "Director", "#Times").adding(rows) { [$0.0, $0.1, $0.2] }
        },
    ]
}
