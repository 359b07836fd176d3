import RecordStack

/// An algorithm of the standard library, run on a collection of chapters.
///
/// The result names objects by their IDs, so that two runs can be compared.
enum CollectionAlgorithm: CaseIterable {
    case array, map, compactMap, flatMap, filter, reduce, sorted, shuffled, reversed
    case forLoop, indexLoop, countLoop, indices, enumerated, zipped, lazyMap, lazyReversed
    case first, last, firstIndex, lastIndex, containsWhere, allSatisfy, minAndMax
    case prefix, suffix, dropFirst, dropLast, prefixWhile, dropWhile, slice, sliceOfSlice
    case split, elementsEqual, startsWith, indexArithmetic, randomElement, difference, countWhere

    func run(on chapters: some RandomAccessCollection<Chapter>) -> [String] {
        let id = { (chapter: Chapter) in "\(chapter.objectID)" }
        let isEven = { (chapter: Chapter) in chapter.objectID.key % 2 == 0 }
        switch self {
        case .array: return Array(chapters).map(id)
        case .map: return chapters.map(id)
        case .compactMap: return chapters.compactMap { isEven($0) ? id($0) : nil }
        case .flatMap: return chapters.flatMap { [id($0), id($0)] }
        case .filter: return chapters.filter(isEven).map(id)
        case .reduce: return chapters.reduce(into: []) { $0.append(id($1)) }
        case .sorted: return chapters.sorted { id($0) > id($1) }.map(id)
        case .shuffled: return chapters.shuffled().map(id).sorted()
        case .reversed: return chapters.reversed().map(id)
        case .forLoop:
            var ids: [String] = []
            for chapter in chapters { ids.append(id(chapter)) }
            return ids
        case .indexLoop:
            var ids: [String] = []
            var index = chapters.startIndex
            while index != chapters.endIndex {
                ids.append(id(chapters[index]))
                chapters.formIndex(after: &index)
            }
            return ids
        case .countLoop:
            return (0..<chapters.count).map {
                id(chapters[chapters.index(chapters.startIndex, offsetBy: $0)])
            }
        case .indices: return chapters.indices.map { id(chapters[$0]) }
        case .enumerated: return chapters.enumerated().map { "\($0) \(id($1))" }
        case .zipped: return zip(chapters, chapters.reversed()).map { id($0) + id($1) }
        case .lazyMap: return Array(chapters.lazy.map(id))
        case .lazyReversed: return Array(chapters.lazy.reversed().map(id))
        default: return runSearch(on: chapters, id, isEven)
        }
    }

    private func runSearch<Chapters: RandomAccessCollection<Chapter>>(
        on chapters: Chapters, _ id: (Chapter) -> String, _ isEven: (Chapter) -> Bool
    ) -> [String] {
        let place = { (index: Chapters.Index?) in
            index.map { "\(chapters.distance(from: chapters.startIndex, to: $0))" } ?? "-"
        }
        switch self {
        case .first: return [chapters.first.map(id) ?? "-"]
        case .last: return [chapters.last.map(id) ?? "-"]
        case .firstIndex: return [place(chapters.firstIndex(where: isEven))]
        case .lastIndex: return [place(chapters.lastIndex(where: isEven))]
        case .containsWhere: return ["\(chapters.contains(where: isEven))"]
        case .allSatisfy: return ["\(chapters.allSatisfy(isEven))"]
        case .minAndMax:
            return [
                chapters.min { id($0) < id($1) }.map(id) ?? "-",
                chapters.max { id($0) < id($1) }.map(id) ?? "-",
            ]
        case .prefix: return chapters.prefix(5).map(id)
        case .suffix: return chapters.suffix(5).map(id)
        case .dropFirst: return chapters.dropFirst(3).map(id)
        case .dropLast: return chapters.dropLast(3).map(id)
        case .prefixWhile: return chapters.prefix { !isEven($0) }.map(id)
        case .dropWhile: return chapters.drop { !isEven($0) }.map(id)
        case .slice: return chapters[chapters.startIndex...].map(id)
        case .sliceOfSlice: return chapters.dropFirst(1).dropLast(1).suffix(2).map(id)
        case .split: return chapters.split(whereSeparator: isEven).map { "\($0.map(id))" }
        case .elementsEqual: return ["\(chapters.elementsEqual(Array(chapters), by: ===))"]
        case .startsWith: return ["\(chapters.starts(with: chapters.prefix(2), by: ===))"]
        case .indexArithmetic:
            let end = chapters.index(chapters.startIndex, offsetBy: chapters.count)
            return ["\(end == chapters.endIndex)", "\(chapters.isEmpty)"]
        case .randomElement: return ["\(chapters.randomElement() == nil)"]
        case .difference:
            return chapters.difference(from: Array(chapters.dropLast(2)), by: ===).map { "\($0)" }
                .map { _ in "change" }
        case .countWhere: return ["\(chapters.count(where: isEven))"]
        default: return []
        }
    }
}
