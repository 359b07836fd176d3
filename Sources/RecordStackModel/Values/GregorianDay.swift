/// A day of the Gregorian calendar, which is extended to dates before 1582.
package struct GregorianDay {
    package let year: Int
    package let month: Int
    package let day: Int

    /// - Parameter days: the days since 2001-01-01.
    package init(daysSince2001 days: Int) {
        // Counts from 1 March of the year 0, where a cycle of 400 years begins. The leap day is
        // then the last day of its year.
        let shifted = days + 730_791
        let cycle = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfCycle = shifted - cycle * 146_097
        let yearOfCycle =
            (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        // From March on, every five months have 153 days.
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let isNextYear = monthFromMarch >= 10
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = isNextYear ? monthFromMarch - 9 : monthFromMarch + 3
        year = yearOfCycle + cycle * 400 + (isNextYear ? 1 : 0)
    }
}
