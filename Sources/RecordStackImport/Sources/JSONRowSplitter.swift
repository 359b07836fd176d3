import RecordStackModel

/// Divides a JSON text into the rows at a key path: the elements of an array, or a single value.
///
/// It keeps only one row in memory, and reads the text around the rows token by token.
final class JSONRowSplitter: RowSplitter {
    private enum State {
        /// Before the value of a step or, after the last step, before the rows.
        case value(step: Int)
        /// In an object in which the step is a key.
        case members(step: Int)
        /// In an array in which the step is an element, before an element.
        case elements(step: Int, index: Int)
        /// In a value that is skipped.
        indirect case skipping(depth: Int, then: State)
        case rows
        /// After the rows.
        case rest
        case done
    }

    private let location: JSONLocation
    private var scanner: JSONScanner
    private var buffer = PieceBuffer()
    private var state = State.value(step: 0)
    /// The number of arrays and objects on the path to the rows that are open.
    private var openSteps = 0
    private var isFinished = false
    /// The number of bytes that must be available before a long row is read again from its start.
    ///
    /// If it were read again with each piece, the time would grow with the square of its length.
    private var wantedBytes = 0

    /// The number of rows that were read.
    private var rows = 0
    /// The keys read so far of the object in which a step is looked for.
    private var keys = FoundKeys()

    var line: Int? { nil }

    init(_ location: JSONLocation) {
        self.location = location
        scanner = JSONScanner(UnsafeRawBufferPointer(start: nil, count: 0), isComplete: false)
    }

    func add(_ piece: UnsafeRawBufferPointer) {
        buffer.drop(scanner.suspend())
        buffer.append(piece)
        scanner.resume(with: buffer.bytes, isComplete: false)
    }

    func finish() {
        buffer.drop(scanner.suspend())
        scanner.resume(with: buffer.bytes, isComplete: true)
        isFinished = true
    }

    func next() throws -> UnsafeRawBufferPointer? {
        if buffer.bytes.count < wantedBytes && !isFinished { return nil }
        wantedBytes = 0
        do {
            while true {
                if case .done = state { return nil }
                if case .rows = state { return try nextRow() }
                if case .value(location.steps.count) = state { return try firstRow() }
                let mark = scanner.mark()
                let token = try scanner.next()
                if token == .needsMoreInput { return nil }
                try advance(token, mark)
            }
        } catch let error as JSONError {
            var isInRows = false
            if case .rows = state { isInRows = true }
            throw RecordStackError(
                .importFailed,
                "The text is not JSON\(isInRows ? " in row \(rows)" : ""): \(error).", cause: error,
                entity: location.entity.name)
        }
    }

    private func advance(_ token: JSONToken, _ mark: JSONMark) throws {
        switch state {
        case .value(let step): try enter(token, step)
        case .members(let step):
            // Either the value comes next, or the object has ended.
            if token == .endObject {
                throw location.missing(location.steps[step], in: .object(keys))
            }
            keys.add(scanner.string)
            state =
                isKey(location.steps[step])
                ? .value(step: step + 1)
                : .skipping(depth: scanner.depth, then: .members(step: step))
        case .elements(let step, let index):
            if token == .endArray {
                throw location.missing(location.steps[step], in: .array(count: index))
            }
            if "\(index)" == location.steps[step] {
                scanner.restore(mark)
                state = .value(step: step + 1)
            } else {
                skip(token, then: .elements(step: step, index: index + 1))
            }
        case .skipping(let depth, let then):
            if scanner.depth == depth { state = then }
        case .rest: try readRest(token)
        case .rows, .done: break
        }
    }

    /// Enters the object or array in which a step is looked for.
    private func enter(_ token: JSONToken, _ step: Int) throws {
        switch token {
        case .beginObject:
            keys = FoundKeys()
            state = .members(step: step)
        case .beginArray: state = .elements(step: step, index: 0)
        default: throw location.missing(location.steps[step], in: .value(token))
        }
        openSteps = step + 1
    }

    private func skip(_ token: JSONToken, then: State) {
        state =
            token.beginsContainer ? .skipping(depth: scanner.depth - 1, then: then) : then
    }

    private func isKey(_ step: String) -> Bool { scanner.text.elementsEqual(step.utf8) }

    /// Reads the first element of an array of rows, or a single row.
    private func firstRow() throws -> UnsafeRawBufferPointer? {
        let mark = scanner.mark()
        let token = try scanner.next()
        if token == .needsMoreInput { return nil }
        if token == .beginArray {
            state = .rows
            return try nextRow()
        }
        guard let row = try finishRow(token, mark) else { return nil }
        state = .rest
        return row
    }

    private func nextRow() throws -> UnsafeRawBufferPointer? {
        let mark = scanner.mark()
        let token = try scanner.next()
        if token == .needsMoreInput { return nil }
        if token == .endArray {
            state = .rest
            return try next()
        }
        return try finishRow(token, mark)
    }

    private static var shortRow: Int { 1 << 15 }

    /// Reads a row to its end. Returns nil, back at the mark, if the rest of the row is missing.
    private func finishRow(
        _ token: JSONToken, _ mark: JSONMark
    ) throws -> UnsafeRawBufferPointer? {
        let start = scanner.tokenStart
        if token.beginsContainer, try !scanner.skipContainer() {
            let read = scanner.end - start
            if read > Self.shortRow { wantedBytes = read * 2 }
            scanner.restore(mark)
            return nil
        }
        rows += 1
        return UnsafeRawBufferPointer(start: start, count: scanner.cursor - start)
    }

    /// Reads the text after the rows, which must be JSON and must not contain other rows.
    ///
    /// If a key on the path occurred again, its last value would count, but the rows of the first
    /// are already imported.
    private func readRest(_ token: JSONToken) throws {
        if token == .endOfInput { return state = .done }
        if token == .endObject || token == .endArray { openSteps = min(openSteps, scanner.depth) }
        guard token == .key, scanner.depth == openSteps, isKey(location.steps[openSteps - 1]) else {
            return
        }
        throw RecordStackError(
            .importFailed,
            "The JSON has “\(location.steps[openSteps - 1].cut(to: 40))” twice, at “\(location.keyPathExcerpt)”. A text that is read in pieces "
                + "can have it once; the rows of the first are imported.",
            entity: location.entity.name)
    }
}
