import ArgumentParser
import Foundation
import RecordStack

@main
struct Movies: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Imports a list of films and answers questions about it.",
        discussion: """
            With --where it answers that question alone. The condition is a format string of the \
            properties of a film:
              Movies --where "rating >= 8 AND title BEGINSWITH[c] 'the'"
              Movies --where "director.name CONTAINS[cd] %@ AND budget < 5e6" --with "ida"
            A name that no film has is answered with those that there are.
            """)

    @Argument(help: "A list of films in JSON; without one, the example's own.") var file: String?
    @Option(name: .customLong("where"), help: "Which films to show.") var condition: String?
    @Option(name: .customLong("with"), help: "A text that stands for the next %@ of --where.")
    var arguments: [String] = []

    func validate() throws {
        if condition == nil && !arguments.isEmpty {
            throw ValidationError("--with gives a value to a %@ of --where, which is missing.")
        }
    }

    @MainActor
    func run() async throws {
        let questions = try condition.map { [try Self.question($0, arguments)] } ?? Question.all
        let stack = try ContextStack(
            for: Movie.self, Director.self, Genre.self, at: .inMemory)
        let report = try await load(into: stack)
        print("\(report.inserted) films, \(report.skipped) left out")
        for problem in report.problems.prefix(5) { print("   \(problem)") }
        if report.problems.count > 5 { print("   … and \(report.problems.count - 5) more") }
        for (index, question) in questions.enumerated() {
            print("\n\(index + 1). \(question.text)")
            print(try question.answer(stack.defaultContext))
        }
        try stack.close()
        print("\nQuestions answered: \(questions.count)")
    }

    /// Creates a question from typed text.
    ///
    /// The names are looked up in the model and the values are bound; the text never becomes SQL.
    private static func question(_ condition: String, _ arguments: [String]) throws -> Question {
        do {
            let filter = try Filter(format: condition, arguments: arguments, for: Movie.self)
            let title = "Which are the films with \(try filter.formatString(for: Movie.self))?"
            return Question(title) { context in
                let request = FetchRequest<Movie>(
                    filter: filter, sortKeys: [.descending(\.rating), .ascending(\.title)])
                let page = try context.page(1, size: 20, of: request)
                return Question.table(of: page.items)
                    .noted("\(page.items.count) of \(page.total)")
            }
        } catch let error as RecordStackError where error.code == .misuse {
            throw ValidationError("--where: \(error.message)")
        }
    }

    private func load(into stack: ContextStack) async throws -> ImportReport {
        guard let list, let data = try? Data(contentsOf: list) else {
            throw ValidationError(
                "\(file ?? "The list") cannot be read. Name a file with films in JSON.")
        }
        return try await stack.saveWithBlock { context in
            let report = try Movie.importJSON(data, in: context)
            // The import sets no relationships. This loop turns the names into objects.
            for movie in try Movie.find(in: context) {
                if let name = movie.directorName {
                    movie.director = try Director.findFirstOrCreate(by: \.name, name, in: context)
                }
                if let name = movie.genreName {
                    movie.genre = try Genre.findFirstOrCreate(by: \.name, name, in: context)
                }
            }
            return report
        }
    }

    private var list: URL? {
        file.map { URL(fileURLWithPath: $0) }
            ?? Bundle.module.url(forResource: "movies", withExtension: "json")
    }
}
