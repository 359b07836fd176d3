import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// A list of 3,201 films, with titles that are numbers, many nulls and unusual dates. It is not
/// part of this package.
private let list = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("shared/data/movies.json")

@Entity final class ListedFilm: ManagedObject {
    @Attribute(.imported(from: "Title")) var title: String
    @Attribute(.imported(from: "US Gross")) var gross: Int?
    @Attribute(.imported(from: "Worldwide Gross")) var worldwide: Decimal?
    @Attribute(.imported(from: "US DVD Sales")) var sales: Int64?
    @Attribute(.imported(from: "Production Budget")) var budget: Double?
    @Attribute(.imported(from: "Release Date"), .dateFormat(.pattern("MMM dd yyyy"))) var released:
        Date?
    @Attribute(.imported(from: "MPAA Rating")) var rating: String?
    @Attribute(.imported(from: "Running Time min")) var minutes: Int16?
    @Attribute(.imported(from: "Distributor")) var distributor: String?
    @Attribute(.imported(from: "Source")) var source: String?
    @Attribute(.imported(from: "Major Genre")) var genre: String?
    @Attribute(.imported(from: "Creative Type")) var kind: String?
    @Attribute(.imported(from: "Director")) var director: String?
    @Attribute(.imported(from: "Rotten Tomatoes Rating")) var tomatoes: Int?
    @Attribute(.imported(from: "IMDB Rating")) var imdb: Double?
    @Attribute(.imported(from: "IMDB Votes")) var votes: UInt32?
}

/// Compares every value of the file with Foundation's reader.
@Suite("Movie file", .enabled(if: FileManager.default.fileExists(atPath: list.path)))
struct MovieFileTests {
    @Test func `an import reads every value of the movie file as Foundation does`() throws {
        let data = try Data(contentsOf: list)
        let test = try TestStack(for: ListedFilm.self)
        let context = test.stack.newContext()
        let report = try ListedFilm.importJSON(data, in: context)
        try context.saveAndWait()
        let read = try #require(
            try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        #expect(report.rows == read.count)
        let skipped = Dictionary(
            grouping: report.problems.filter(\.isRowSkipped), by: \.row)
        #expect(report.skipped == skipped.count)
        // The objects have no identity, so they are in the order of their rows.
        var films = try ListedFilm.find(in: test.stack.newContext())[...]
        for (row, values) in read.enumerated() {
            let problems = report.problems.filter { $0.row == row }
            if values["Title"] is NSNull {
                #expect(skipped[row]?.map(\.path) == ["Title"])
            } else {
                let next = films.popFirst()
                try compare(#require(next), values, problems, row)
            }
        }
        #expect(films.isEmpty)
    }

    private func compare(
        _ film: ListedFilm, _ values: [String: Any], _ problems: [ImportProblem], _ row: Int
    ) throws {
        let at: Comment = "row \(row): \(values)"
        let number = { (key: String) in values[key] as? NSNumber }
        let text = { (key: String) in values[key] as? String ?? number(key)?.stringValue }
        #expect(film.title == text("Title"), at)
        #expect(film.gross == number("US Gross")?.intValue, at)
        #expect(film.worldwide == number("Worldwide Gross").map { Decimal($0.intValue) }, at)
        #expect(film.sales == number("US DVD Sales")?.int64Value, at)
        #expect(film.budget == number("Production Budget")?.doubleValue, at)
        #expect(film.rating == text("MPAA Rating"), at)
        #expect(film.minutes == number("Running Time min")?.int16Value, at)
        #expect(film.distributor == text("Distributor"), at)
        #expect(film.source == text("Source"), at)
        #expect(film.genre == text("Major Genre"), at)
        #expect(film.kind == text("Creative Type"), at)
        #expect(film.director == text("Director"), at)
        #expect(film.tomatoes == number("Rotten Tomatoes Rating")?.intValue, at)
        #expect(film.imdb == number("IMDB Rating")?.doubleValue, at)
        #expect(film.votes == number("IMDB Votes")?.uint32Value, at)
        let wanted = try date(text("Release Date"))
        #expect(film.released == wanted, at)
        // Text that is not a date is reported with its path in the file.
        #expect(problems.map(\.path) == (wanted == nil ? ["Release Date"] : []), at)
    }

    /// Returns a day such as "Jun 12 1998", computed by counting Gregorian days.
    private func date(_ text: String?) throws -> Date? {
        let words = try #require(text).split(separator: " ")
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        guard words.count == 3, let month = months.firstIndex(of: String(words[0])),
            let day = Int(words[1]), let year = Int(words[2])
        else { return nil }
        let isLeap = { (year: Int) in
            year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        }
        let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...lengths[month]).contains(day) else { return nil }
        var days = lengths[..<month].reduce(day - 1, +)
        for past in min(year, 1970)..<max(year, 1970) {
            days += (isLeap(past) ? 366 : 365) * (year < 1970 ? -1 : 1)
        }
        return Date(timeIntervalSince1970: Double(days) * 86_400)
    }
}
