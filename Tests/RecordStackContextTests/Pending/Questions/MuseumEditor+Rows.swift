import FoundationEssentials
import RecordStack
import TestSupport

extension MuseumEditor {
    /// Returns numbers of existing exhibits and a new number.
    mutating func numbersForRows() -> [Int] {
        var numbers = [exhibit(), exhibit()].compactMap { $0 }
        numbers.append(takeNumber())
        return Set(numbers).sorted()
    }

    mutating func upsert() throws {
        let rows = numbersForRows().map { (number: $0, shelf: Pool.shelf(&random)) }
        try Exhibit.upsert(rows, by: \.number, key: { $0.number }, in: context) { object, row, _ in
            object.number = row.number
            object.shelf = row.shelf
        }
        for row in rows {
            try noteRow(row.number)
            museum.pieces[row.number]!.shelf = row.shelf
        }
        log += "upsert \(rows.map(\.number)) "
    }

    mutating func importRows() throws {
        let rows = numbersForRows().map { (number: $0, price: Pool.price(&random)) }
        let json = rows.map { #"{"number": \#($0.number), "price": "\#(Double($0.price) / 4)"}"# }
        try Exhibit.importJSON(Data("[\(json.joined(separator: ","))]".utf8), in: context)
        for row in rows {
            try noteRow(row.number)
            museum.pieces[row.number]!.price = row.price
        }
        log += "import \(rows.map(\.number)) "
    }

    mutating func noteRow(_ number: Int) throws {
        if museum.pieces[number] == nil {
            museum.pieces[number] = PlainMuseum.Piece(
                kind: .exhibit, key: try object(number).objectID.key)
        } else if !touched.contains(.exhibit(number)) {
            edited.insert(number)
        }
        touched.insert(.exhibit(number))
    }
}
