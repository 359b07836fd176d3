import Foundation
import RecordStack

extension Question {
    /// Questions about directors, by conditions on their films.
    @MainActor static let people = [
        Question("Whose films, two or more, are all good?") { context in
            let directors = try Director.find(
                sortedBy: [.descending { $0.movies.average { $0.rating } }, .ascending(\.name)],
                limit: 6, in: context
            ) {
                $0.movies.count >= 2
                $0.movies.all { $0.rating >= 7 }
            }
            return try Table("Director", "#Films", "#Average").adding(directors) { director in
                let average = try Movie.average(of: \.rating, in: context) {
                    $0.director == director
                }
                return [director.name, director.movies.count, average]
            }
        },
        Question("Who earned most with films for teenagers and adults?") { context in
            let grown: [Certificate?] = [.teenagers, .restricted, .adults]
            let rows = try Director.rows(
                of: {
                    ($0.name, $0.movies.where { $0.certificate.isIn(grown) }.sum { $0.worldwide })
                },
                sortedBy: .descending {
                    $0.movies.where { $0.certificate.isIn(grown) }.sum { $0.worldwide }
                }, limit: 5, in: context
            ) { $0.movies.any { $0.certificate.isIn(grown) } }
            return Table("Director", "#Earned").adding(rows) { [$0.0, millions($0.1)] }
        },
        Question("Which films are much better than usual for their director?") { context in
            let movies = try Movie.find(
                sortedBy: [.descending(\.rating), .ascending(\.title)], limit: 5, in: context
            ) { movie in
                movie.director.movies.count >= 3
                movie.rating > movie.director.movies.average { $0.rating } + 0.5
            }
            return table(of: movies)
        },
    ]
}
