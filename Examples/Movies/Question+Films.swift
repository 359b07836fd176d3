import Foundation
import RecordStack

extension Question {
    /// Questions whose answers are objects: sorted, limited, filtered, in pages.
    @MainActor static let films = [
        Question("Which films earned most?") { context in
            let movies = try Movie.find(
                sortedBy: [.descending(\.worldwide), .ascending(\.title)], limit: 5, in: context)
            return table(of: movies)
        },
        Question("Which good films have love in the title, and no director's name?") { context in
            let movies = try Movie.find(
                sortedBy: [.descending(\.rating), .ascending(\.title)], limit: 8, in: context
            ) {
                $0.title.contains("LOVE", [.caseInsensitive, .diacriticInsensitive])
                $0.director == nil
                $0.rating >= 6.5
            }
            return table(of: movies)
        },
        Question("What is on the second page of the comedies, by title?") { context in
            let page = try Movie.page(
                2, size: 4, sortedBy: .ascending(\.title, .caseInsensitive), in: context
            ) { $0.genre.name == "Comedy" }
            return table(of: page.items)
                .noted("page \(page.number) of \(page.pageCount), \(page.total) comedies")
        },
        Question("How does one turn over the pages of the films, newest first?") { context in
            let order = [SortKey<Movie>.descending(\.released, nulls: .last)]
            let first = try Movie.page(after: nil, size: 3, sortedBy: order, in: context)
            // A token is text, for use in a link. It stays valid while objects are
            // inserted and deleted.
            let token = first.next.flatMap { PageToken($0.description) }
            let second = try Movie.page(after: token, size: 3, sortedBy: order, in: context)
            let back = try Movie.page(
                before: second.previous, size: 3, sortedBy: order, in: context)
            let pages = [("first", first), ("second", second), ("back again", back)]
            return Table("Page", "Film", "Released").adding(
                pages.flatMap { name, page in page.items.map { (name, $0) } }
            ) { [$0.0, $0.1.title, $0.1.released] }
        },
    ]
}
