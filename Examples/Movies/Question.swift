import Foundation
import RecordStack

/// A question, and the code that answers it from the list.
struct Question {
    let text: String
    let answer: @MainActor (ManagedObjectContext) throws -> Table

    init(_ text: String, _ answer: @escaping @MainActor (ManagedObjectContext) throws -> Table) {
        self.text = text
        self.answer = answer
    }

    @MainActor static var all: [Question] { films + numbers + people + requests }

    static func table(of movies: [Movie]) -> Table {
        Table("Film", "Released", "Director", "#Rating", "#Earned")
            .adding(movies) {
                [$0.title, $0.released, $0.director?.name, $0.rating, millions($0.worldwide)]
            }
    }

    /// Returns an amount of dollars as text, such as "12.3 M".
    static func millions(_ dollars: Int?) -> String? {
        dollars.map { String(format: "%.1f M", Double($0) / 1e6) }
    }
}
