extension Filter: CustomStringConvertible {
    /// The condition as a format string.
    ///
    /// ```swift
    /// let person = FilterProxy<Person>()
    /// print(person.age >= 18 && person.team.title == "A")
    /// // age >= 18 AND team.title == "A"
    /// ```
    ///
    /// It is for people to read, and may become another one. Of a filter that cannot be used it says why.
    public var description: String {
        do {
            // Where nothing tells what it is about, it names no property either.
            return try FormatPrinter(entity ?? node.root).text(node)
        } catch let failure as FormatPrinter.Failure {
            return "(\(failure.message))"
        } catch {
            return "(\(error))"
        }
    }
}

extension Filter.Node {
    /// Of which entity the outermost object is, where a path tells.
    fileprivate var root: EntityDescription? {
        var found: EntityDescription?
        forEachPart { part in
            switch part {
            case .path(let path): found = found ?? path.root
            case .members(let relation, _, _): found = found ?? relation.root
            }
        }
        return found
    }
}
