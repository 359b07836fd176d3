extension Filter: CustomStringConvertible {
    /// The condition as a format string.
    ///
    /// ```swift
    /// let person = FilterProxy<Person>()
    /// print(person.age >= 18 && person.team.title == "A")
    /// // age >= 18 AND team.title == "A"
    /// ```
    ///
    /// The text is for people, and later versions may change it. If the filter cannot be used, the
    /// text says why.
    public var description: String {
        do {
            // A filter without an entity, whose paths have no root either, names no property.
            return try FormatPrinter(entity ?? node.root).text(node)
        } catch let failure as FormatPrinter.Failure {
            return "(\(failure.message))"
        } catch {
            return "(\(error))"
        }
    }
}

extension Filter.Node {
    /// The entity of the outermost object, if a path contains it.
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
