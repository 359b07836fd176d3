import FoundationEssentials
import RecordStack
import RecordStackTesting
import Testing

/// Errors in format strings. Each names its column before anything is read.
@Suite("Errors in format strings") struct FormatErrorTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let format: String
        let column: Int
        /// A part of the message.
        let message: String
        let arguments: @Sendable () -> [(any FormatArgument)?]

        init(
            _ format: String, _ column: Int, _ message: String,
            _ arguments: @escaping @Sendable () -> [(any FormatArgument)?] = { [] }
        ) {
            self.format = format
            self.column = column
            self.message = message
            self.arguments = arguments
        }

        var testDescription: String { format }
    }

    @Test(arguments: syntax + names + types + arguments + refused)
    func `an error in a format string names its column and marks it`(row: Case) throws {
        let error = try #require(throws: RecordStackError.self) {
            try Filter(format: row.format, arguments: row.arguments(), for: Hero.self)
        }
        #expect(error.code == .misuse)
        #expect(error.entity == "Hero")
        let lines = error.message.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(
            error.message.hasPrefix("The format string, column \(row.column): "), "\(error.message)"
        )
        #expect(error.message.contains(row.message), "\(error.message)")
        #expect(lines.count == 3, "\(error.message)")
        #expect(String(lines[2]) == String(repeating: " ", count: row.column - 1) + "^")
    }

    static let syntax: [Case] = [
        Case("", 1, "A value or a condition was expected here, not the end"),
        Case("age >", 6, "not the end"),
        Case("age > > 3", 7, "not >"),
        Case("age 3", 5, "AND, OR or the end was expected here, not 3"),
        Case("(age > 3", 9, ") for the bracket at the beginning was expected"),
        Case("age IN (1, 2)", 10, "(a list stands in braces) was expected here, not ,"),
        Case("age > 3)", 8, "AND, OR or the end was expected here, not )"),
        Case("age > 3 AND", 12, "A value or a condition"),
        Case("age > 3 AND AND age < 5", 13, "not AND, which is a word of the language"),
        Case("age IN {1, 2", 13, "} or a comma"),
        Case("age IN {1, }", 12, "A value or a condition was expected here, not }"),
        Case("name == 'Ann", 9, "' is missing"),
        Case("name == \"Ann'", 9, "\" is missing"),
        Case("name == 'a\\q'", 11, "Behind a backslash"),
        Case("name == 'a\\x4'", 11, "2 hexadecimal digits"),
        Case("name == 'a\\u00G0'", 11, "4 hexadecimal digits"),
        Case("name == '\\uD800'", 10, "half of a character"),
        Case("name == '\\777'", 10, "larger than octal 377"),
        Case("age > 12x", 7, "A number ends in what is no digit"),
        Case("age > 1_000", 7, "A number ends in what is no digit"),
        Case("age > 0xZZ", 7, "base 16"),
        Case("age > 0b12", 7, "base 2"),
        Case("age > 1e", 7, "an exponent without digits"),
        Case("ratio > 1e999", 9, "too large for a Double"),
        Case("age > 3 ; age < 5", 9, "\";\" has no meaning here"),
        Case("age ~ 3", 5, "has no meaning here"),
        Case("age > # 3", 8, "A property's name was expected behind #"),
        Case("age > $", 8, "a variable's name was expected"),
        Case("heroes.@", 9, "count, sum, avg, min or max was expected"),
        Case("age..x", 5, "A property's name or @count"),
        Case("name ==[x] 'a'", 9, "The option x has no meaning here"),
        Case("name ==[] 'a'", 9, "c, d or cd was expected"),
        Case("name ==[c 'a'", 11, "] behind the options"),
        Case("SUBQUERY admirers", 10, "( behind SUBQUERY"),
        Case("SUBQUERY(admirers, a, TRUEPREDICATE).@count > 0", 20, "A variable, such as $member,"),
        Case("CAST(5, NSDate) > born", 9, "A type in quotes"),
        Case("size > 3", 1, "for a property of that name write #size"),
        Case("ANY", 4, "not the end"),
        Case("age NOT IN {3}", 5, "AND, OR or the end was expected here, not NOT"),
    ]

    static let names: [Case] = [
        Case("aeg > 3", 1, "Hero has no property aeg. Did you mean age? There are: key, name"),
        Case("age > 3 AND nmae == 'x'", 13, "Did you mean name?"),
        Case("Name == 'x'", 1, "Did you mean name?"),
        Case("team.titel == 'x'", 6, "Guild has no property titel. Did you mean title?"),
        Case("team.title.first == 'x'", 12, "first is no property of a String"),
        Case("age.x > 3", 5, "x is no property of an Int64"),
        Case("zzz > 3", 1, "There are: key, name, nick, age"),
        Case("zzz > 3", 1, "#size"),
        Case("name = Ann", 8, "A text stands in quotes: 'Ann'."),
        Case("ANY admirers.name IN {Ann, 'x'}", 23, "Hero has no property Ann"),
        Case("admirers.count > 3", 10, "For one value of all members, write @count."),
        Case("team.heroes.max > 3", 13, "For one value of all members, write @max."),
        Case("ANY admirers.nam == 'x'", 14, "Did you mean name?"),
        Case("admirers.@sum.pints > 3", 15, "Did you mean points?"),
        Case("SUBQUERY(admirers, $a, $a.agee > 3).@count > 0", 27, "Did you mean age?"),
        Case("SUBQUERY(admirers, $a, $b.age > 3).@count > 0", 24, "There is no variable $b"),
        Case("age > $limit", 7, "There is no variable $limit"),
        Case("sqrt(points) > 3", 1, "There is no function sqrt."),
        Case("lowercas(name) == 'a'", 1, "Did you mean lowercase:?"),
        Case("admirers.@median.age > 3", 10, "@median has no meaning here"),
        Case("%K == 3", 1, "Hero has no property agee") { ["agee"] },
        Case("%K == 3", 1, "Hero has no property ") { [""] },
        Case("%K == 3", 1, "@x has no meaning here") { ["@x"] },
        Case("born == CAST(5, 'NSDat')", 9, "Did you mean NSData or NSDate?"),
    ]

    static let types: [Case] = [
        Case("age == 'x'", 8, "'x', which is a text, cannot stand beside age, which is an Int64"),
        Case("name > 5", 8, "name, which is a String"),
        Case("name == age", 1, "age, which is an Int64"),
        Case("isActive == 2", 13, "A Bool is TRUE or FALSE, or 1 or 0"),
        Case("isActive == 'YES'", 13, "cannot stand beside isActive"),
        Case("age == TRUE", 8, "a Bool"),
        Case("isActive", 1, "Write isActive == TRUE"),
        Case("isActive AND age > 3", 1, "Write isActive == TRUE"),
        Case("age", 1, "age is an Int64"),
        Case("TRUE", 1, "Write TRUEPREDICATE"),
        Case("age > 3 > 2", 9, "A comparison cannot be compared again"),
        Case("(age > 3) == TRUE", 1, "a condition"),
        Case("NOT age", 5, "A condition was expected"),
        Case("born > 5", 8, "a Date"),
        Case("born > '2001-01-01'", 8, "A date is an argument, or CAST('2005-01-31', 'NSDate')."),
        Case("born > CAST('2005-02-30', 'NSDate')", 13, "makes no NSDate"),
        Case("born > CAST('2005-01-31 12:00', 'NSDate')", 13, "makes no NSDate"),
        Case("code == 'x'", 9, "\"x\" is no UUID"),
        Case("photo == 'x'", 10, "a Data"),
        Case("price == 'x'", 10, "a Decimal"),
        Case("price > ratio", 1, "a Decimal"),
        Case("age == 18446744073709551615", 8, "too large for an Int64"),
        Case("weight == 1e39", 11, "too large for a Float"),
        Case("mood == 'angry'", 9, "\"angry\" is no value of mood, which is a Temper"),
        Case("small == 300", 10, "300 is no value of small, which is an Int8"),
        Case("age BEGINSWITH 'x'", 1, "BEGINSWITH is for texts, and age is an Int64"),
        Case("name LIKE 5", 11, "LIKE is for texts, and 5 is a number"),
        Case("name MATCHES '('", 14, "is no regular expression"),
        Case("age ==[c] 3", 5, "[c] and [d] are for texts alone"),
        Case("age IN[c] {}", 5, "[c] and [d] are for texts alone"),
        Case("age BETWEEN {1}", 13, "a list of two values was expected, such as {1, 2}"),
        Case("age BETWEEN 5", 13, "a list of two values"),
        Case(
            "age IN 5", 8,
            "Behind IN, a list was expected, such as {1, 2} or %@ with an array, and 5 is a number"),
        Case("age == {1}", 1, "a list"),
        Case("age IN {1, 'x'}", 12, "'x', which is a text"),
        Case("age + 'x' > 3", 7, "There is no sum of an Int64 and a text"),
        Case("name * 2 == 4", 8, "There is no product of a String and a number"),
        Case("born * 2 > born", 8, "There is no product of a Date and a number"),
        Case("modulus:by:(ratio, 2) == 1", 20, "There is no modulus"),
        Case("abs(name) == 1", 1, "There is no abs of a String"),
        Case("lowercase(age) == 'a'", 1, "There is no lowercase of an Int64"),
        Case("lowercase() == 'a'", 1, "lowercase takes 1 value, not 0"),
        Case("team == 5", 9, "a Guild"),
        Case(
            "team == 'x'", 9,
            "\"x\" is no ID of an object. The object's properties stand behind a dot: team.…"),
        Case("team > SELF", 6, "Objects are compared by == and != and IN alone"),
        Case("team == SELF", 1, "team, which is a Guild"),
        Case("team ==[c] idol", 6, "Objects are compared by == and != and IN alone"),
        Case(
            "team == 'recordstack://00000000-0000-0000-0000-000000000000/Hero/1'", 9,
            "A relationship to Guild was compared"),
        Case("admirers.age > 3", 1, "ANY, ALL or NONE"),
        Case("3 < admirers.age", 5, "ANY, ALL or NONE"),
        Case("ANY age > 3", 5, "need a to-many relationship on the left side"),
        Case("ANY 3 < admirers.age", 5, "need a to-many relationship on the left side"),
        Case("ALL admirers", 5, "ANY and NONE also for such members alone"),
        Case("ANY (age > 3 AND age < 5)", 5, "are for a comparison"),
        Case("age.@count > 3", 5, "stands behind a to-many relationship"),
        Case("admirers.@sum > 3", 10, "needs a property of the members"),
        Case("admirers.@sum.name > 3", 10, "There is no @sum of a String"),
        Case("admirers.@avg.born > 3", 10, "There is no @avg of a Date"),
        Case("admirers.@sum.admirers > 3", 10, "There is no @sum of a to-many relationship"),
        Case("admirers.@sum(points) > 3", 10, "stands behind SUBQUERY alone"),
        Case("admirers.admirers.@count > 3", 19, "a to-many relationship and more"),
        Case("SUBQUERY(age, $a, TRUEPREDICATE).@count > 0", 10, "SUBQUERY is for the members"),
        Case("SUBQUERY(admirers, $a, 5).@count > 0", 24, "A condition was expected"),
        Case("CAST(age, 'NSDate') > born", 6, "CAST makes values of values that are given"),
        Case("born > CAST('x', 'NSDate')", 13, "makes no NSDate"),
        Case("photo == CAST('0', 'NSData')", 15, "makes no NSData"),
    ]

    static let arguments: [Case] = [
        Case("age > %@", 7, "There is no argument for this sign: 0 were given"),
        Case("age > %@ AND age < %@", 20, "There is no argument for this sign: 1 were given") {
            [1]
        },
        Case("age > 3", 8, "There are 1 arguments, and signs for 0 of them") { [1] },
        Case("name == '%@'", 13, "A sign inside a text is part of the text") { ["x"] },
        Case("age > %d", 7, "%d takes an integer, and its argument is a text") { ["x"] },
        Case("age > %ld", 7, "%ld takes an integer, and its argument is the number 1.5") { [1.5] },
        Case("ratio > %f", 9, "%f takes a number, and its argument is a text") { ["x"] },
        Case("name == %s", 9, "%s takes a text, and its argument is a number") { [1] },
        Case("%K == 3", 1, "The argument for %K must be a text") { [3] },
        Case("age > %y", 7, "%y has no meaning here"),
        Case("age > %5d", 7, "has no meaning here"),
        Case("age > %.2f", 7, "has no meaning here"),
        Case("age > %p", 7, "%p has no meaning here"),
        Case("age > %", 8, "After %"),
        Case("age == %@", 8, "a text") { ["1 OR 1 == 1"] },
        Case("age IN %@", 8, "a number") { [3] },
        Case("team == %@", 9, "a number") { [3] },
    ]

    static let refused: [Case] = [
        Case("points ** 2 > 4", 8, "There is no ** here"),
        Case("TERNARY(age > 3, 1, 2) == 1", 1, "TERNARY has no meaning here"),
        Case("FUNCTION(age, 'x') == 1", 1, "FUNCTION has no meaning here"),
        Case("FETCH(age) == 1", 1, "FETCH has no meaning here"),
        Case("admirers[0].age > 3", 9, "Members have no indexes here"),
        Case("admirers[FIRST].age > 3", 9, "Members have no indexes here"),
        Case("name ==[n] 'x'", 9, "without normalization"),
        Case("name ==[cdl] 'x'", 9, "The option l has no meaning here"),
        Case("$x := 5", 4, "AND, OR or the end was expected here, not :="),
        Case("name UTI-CONFORMS-TO 'x'", 6, "AND, OR or the end"),
        Case("bitwiseAnd:with:(points, 1) == 1", 1, "There is no function bitwiseAnd:with:"),
        Case("random() > 3", 1, "There is no function random"),
        Case("sum({1, 2}) > 3", 1, "not for a list"),
        Case("name; DROP TABLE Hero", 5, "\";\" has no meaning here"),
        Case("name == 'x' -- comment", 16, "Hero has no property comment"),
        Case("name == 'x' -- 5", 14, "There is no difference of a text and a number"),
        Case("name == 'x'/* */", 13, "A value or a condition"),
    ]
}
