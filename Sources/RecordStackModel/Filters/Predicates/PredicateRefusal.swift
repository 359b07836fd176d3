import FoundationEssentials

extension PredicateTranslator {
    /// Returns the error for a predicate that cannot become a filter.
    ///
    /// - Parameters:
    ///   - what: what the predicate does, as the message continues after the predicate's name.
    ///   - instead: the advice on what to write instead.
    func refusal(_ what: String, _ instead: String) -> RecordStackError {
        RecordStackError(
            .misuse,
            "A predicate of \(entity.name) \(what), which cannot be made a filter. \(instead)",
            entity: entity.name)
    }

    func refusal(constant: PredicateConstant) -> RecordStackError {
        if constant.objectID != nil {
            return refusal("uses an ID as a value", "An ID can be compared with == and !=.")
        }
        return refusal(
            "uses a \(type(of: constant.value)) as a value",
            "Only values that an attribute can have can be compared with one.")
    }

    func refusal(noValue term: PredicateTerm) -> RecordStackError {
        switch term {
        case .object(let object):
            refusal(
                "uses an object of \(object.entity.name) as a value",
                "Compare its objectID: { $0.team?.objectID == id }.")
        case .members(let members):
            refusal(
                "uses the members of \(members.relation.owner.name) as a value",
                "Ask for their count, or with contains { … } and allSatisfy { … }.")
        case .range: refusal("uses a range as a value", "Ask with contains.")
        case .value: refusal("uses an ID as a value", "An ID can be compared with == and !=.")
        case .condition, .constant: refusal("uses a condition as a value", "Write it out.")
        }
    }

    /// Returns the error for an expression that has no translation.
    func unknown(_ type: Any.Type) -> RecordStackError {
        let name = String("\(type)".prefix { $0 != "<" })
        if let (what, instead) = Self.known[name] { return refusal(what, instead) }
        return refusal(
            "uses Foundation's expression \(name)", "Write the condition as a closure.")
    }

    /// The unsupported expressions of Foundation: what each does, and what to write instead.
    private static var known: [String: (String, String)] {
        [
            "StringLocalizedStandardContains": (
                "searches by the user's language (localizedStandardContains)",
                "Write a closure with contains(_:, [.caseInsensitive, .diacriticInsensitive])."
            ),
            "StringLocalizedCompare": (
                "compares by the user's language (localizedCompare)",
                "Compare with <, which goes by the bytes, or sort with a TextOrder."
            ),
            "StringCaseInsensitiveCompare": (
                "compares without case (caseInsensitiveCompare)",
                "Write a closure with equals(_:, .caseInsensitive)."
            ),
            "PredicateEvaluate": (
                "evaluates another predicate",
                "Make a filter of each, and combine those with && and ||."
            ),
            "ExpressionEvaluate": (
                "evaluates an #Expression", "Write out what it says."
            ),
            "CollectionRangeSubscript": (
                "takes a part of a collection by a range", "Take it before the predicate is made."
            ),
        ]
    }
}
