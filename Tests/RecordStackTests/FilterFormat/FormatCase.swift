import FoundationEssentials
import RecordStack
import RecordStackTesting
import Testing

/// A format string with a documented meaning, the objects that it finds, and the source.
struct FormatCase: Sendable, CustomTestStringConvertible {
    typealias Arguments = @Sendable (FormatWorld) -> [(any FormatArgument)?]
    typealias Variables = @Sendable (FormatWorld) -> [String: (any FormatArgument)?]

    let format: String
    /// The keys of the objects that the filter finds.
    let expected: String
    /// The title of the page and of the section.
    let source: String
    let isOfGuilds: Bool
    let arguments: Arguments
    let variables: Variables

    init(
        _ format: String, _ expected: String, _ source: String, isOfGuilds: Bool = false,
        variables: @escaping Variables, arguments: @escaping Arguments
    ) {
        self.format = format
        self.expected = expected
        self.source = source
        self.isOfGuilds = isOfGuilds
        self.arguments = arguments
        self.variables = variables
    }

    init(
        _ format: String, _ expected: String, _ source: String,
        _ arguments: @escaping Arguments = { _ in [] }
    ) {
        self.init(
            format, expected, source, variables: { _ in [:] }, arguments: arguments)
    }

    /// Creates a case with variables.
    static func with(
        _ format: String, _ expected: String, _ source: String, _ variables: @escaping Variables
    ) -> FormatCase {
        FormatCase(format, expected, source, variables: variables, arguments: { _ in [] })
    }

    /// Creates a case that searches guilds.
    static func guilds(
        _ format: String, _ expected: String, _ source: String,
        _ arguments: @escaping Arguments = { _ in [] }
    ) -> FormatCase {
        FormatCase(
            format, expected, source, isOfGuilds: true, variables: { _ in [:] },
            arguments: arguments)
    }

    var testDescription: String { format }

    func check(in world: FormatWorld, _ place: String) throws {
        if isOfGuilds {
            let filter = try filter(world, Guild.self)
            #expect(try world.guilds(filter) == expected, "\(format), \(place)")
        } else {
            let filter = try filter(world, Hero.self)
            #expect(try world.heroes(filter) == expected, "\(format), \(place)")
        }
    }

    private func filter<Entity: ManagedObject>(
        _ world: FormatWorld, _ entity: Entity.Type
    ) throws -> Filter {
        let filter = try Filter(
            format: format, arguments: arguments(world), variables: variables(world), for: entity)
        let text = try filter.formatString(for: entity)
        #expect(try Filter(format: text, for: entity) == filter, "\(text)")
        return filter
    }
}

/// The sources of the meanings: Apple's “Predicate Programming Guide” by chapter and section,
/// the “Key-Value Coding Programming Guide”, and the reference of NSExpression.
enum Source {
    static let parser = "Predicate Format String Syntax: Parser Basics"
    static let basic = "Predicate Format String Syntax: Basic Comparisons"
    static let boolean = "Predicate Format String Syntax: Boolean Value Predicates"
    static let compound = "Predicate Format String Syntax: Basic Compound Predicates"
    static let strings = "Predicate Format String Syntax: String Comparisons"
    static let aggregate = "Predicate Format String Syntax: Aggregate Operations"
    static let identifiers = "Predicate Format String Syntax: Identifiers"
    static let literals = "Predicate Format String Syntax: Literals"
    static let reserved = "Predicate Format String Syntax: Reserved Words"
    static let grammar = "BNF Definition of Cocoa Predicates"
    static let creating = "Creating Predicates: Creating a Predicate Using a Format String"
    static let constants = "Creating Predicates: String Constants, Variables, and Wildcards"
    static let bools = "Creating Predicates: Boolean Values"
    static let names = "Creating Predicates: Dynamic Property Names"
    static let templates = "Creating Predicates: Creating Predicates Using Predicate Templates"
    static let summary = "Creating Predicates: Format String Summary"
    static let paths = "Using Predicates: Using Predicates with Key-Paths"
    static let nulls = "Using Predicates: Using Null Values"
    static let testingNull = "Using Predicates: Testing for Null"
    static let regex = "Using Predicates: Using Regular Expressions"
    static let joins = "Using Predicates: Using Joins"
    static let functions = "NSExpression: init(forFunction:arguments:)"
    static let subquery = "NSExpression: init(forSubquery:usingIteratorVariable:predicate:)"
    static let collections = "Key-Value Coding Programming Guide: Using Collection Operators"
    static let fetching = "Core Data Programming Guide: Fetching Objects"
    static let string = "String Format Specifiers"
}
