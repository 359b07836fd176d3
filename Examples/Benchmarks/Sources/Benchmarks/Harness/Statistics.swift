enum Statistics {
    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2)
            ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    /// Returns the 95 % bootstrap interval of the median.
    ///
    /// It takes the median of many samples drawn from the values with replacement, without the
    /// outer 2.5 % at each end.
    static func interval(ofMedian values: [Double]) -> ClosedRange<Double> {
        var generator = SplitMix64(seed: 42)
        let rounds = 4_000
        let medians = (0..<rounds).map { _ in
            median(values.map { _ in values[Int.random(in: values.indices, using: &generator)] })
        }.sorted()
        return medians[rounds / 40]...medians[rounds - 1 - rounds / 40]
    }
}
