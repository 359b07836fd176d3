extension ContextStatistics: CustomStringConvertible {
    /// The numbers that are not 0, each with its name, as in `2 statements, 40 rowsRead, 1 saves`.
    public var description: String {
        let parts = Mirror(reflecting: self).children.compactMap { child -> String? in
            guard let name = child.label, let number = child.value as? Int, number != 0 else {
                return nil
            }
            return "\(number) \(name)"
        }
        return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    }
}
