extension Array {
    /// Returns the first `count` elements in sorted order.
    ///
    /// A small `count` takes one pass and does not sort the rest.
    func first(
        _ count: Int, by isBefore: (Element, Element) throws -> Bool
    ) rethrows -> [Element] {
        if count >= self.count / 8 { return try Array(sorted(by: isBefore).prefix(count)) }
        var found: [Element] = []
        if count == 0 { return found }
        for element in self {
            if found.count == count {
                if try !isBefore(element, found[count - 1]) { continue }
                found.removeLast()
            }
            var (low, high) = (0, found.count)
            while low < high {
                let middle = (low + high) / 2
                if try isBefore(element, found[middle]) { high = middle } else { low = middle + 1 }
            }
            found.insert(element, at: low)
        }
        return found
    }
}
