import Foundation
import RecordStack

/// A film of the list. Every value but the title may be unknown.
@Entity final class Movie: ManagedObject {
    @Attribute(.indexed, .imported(from: "Title")) var title: String
    @Attribute(.indexed, .imported(from: "Release Date"), .dateFormat(.pattern("MMM dd yyyy")))
    var released: Date?
    @Attribute(.imported(from: "MPAA Rating")) var certificate: Certificate?
    @Attribute(.imported(from: "Running Time min")) var minutes: Int?
    @Attribute(.imported(from: "Distributor")) var distributor: String?
    @Attribute(.imported(from: "Source")) var source: String?
    /// The rating, of 10.
    @Attribute(.indexed, .imported(from: "IMDB Rating")) var rating: Double?
    @Attribute(.imported(from: "IMDB Votes")) var votes: Int?
    /// The critics' rating, of 100.
    @Attribute(.imported(from: "Rotten Tomatoes Rating")) var critics: Int?
    // The following amounts are in dollars.
    @Attribute(.imported(from: "Production Budget")) var budget: Int?
    @Attribute(.imported(from: "US Gross")) var domestic: Int?
    @Attribute(.imported(from: "Worldwide Gross")) var worldwide: Int?
    @Attribute(.imported(from: "US DVD Sales")) var discs: Int?

    // The names in the list, from which the importing code sets the two relationships.
    @Attribute(.imported(from: "Director")) var directorName: String?
    @Attribute(.imported(from: "Major Genre")) var genreName: String?
    @Relationship(inverse: \Director.movies) var director: Director?
    @Relationship(inverse: \Genre.movies) var genre: Genre?
}

@Entity final class Director: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship var movies: ToMany<Movie>
}

@Entity final class Genre: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship var movies: ToMany<Movie>
}

/// The audience of a film, stored as the text in the list.
enum Certificate: String, EnumAttributeValue {
    case everybody = "G"
    case withParents = "PG"
    case teenagers = "PG-13"
    case restricted = "R"
    case adults = "NC-17"
    case notRated = "Not Rated"
    case open = "Open"
}
