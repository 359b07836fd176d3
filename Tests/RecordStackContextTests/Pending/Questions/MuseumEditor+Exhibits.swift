import RecordStack
import TestSupport

extension MuseumEditor {
    mutating func create() throws {
        let number = takeNumber()
        let kind: PlainMuseum.Kind =
            random.chance(50) ? .exhibit : random.chance(60) ? .painting : .statue
        let object: Exhibit =
            switch kind {
            case .exhibit: try Exhibit.create(in: context, number: number)
            case .painting: try Painting.create(in: context)
            case .statue: try Statue.create(in: context)
            }
        object.number = number
        museum.pieces[number] = PlainMuseum.Piece(kind: kind, key: object.objectID.key)
        touched.insert(.exhibit(number))
        try setSome(of: object, number, count: 4)
        if random.chance(60), let wing = wing() { try lead(object, number, to: wing) }
        log += "\(kind) \(number) "
    }

    mutating func setSome(of object: Exhibit, _ number: Int, count: Int) throws {
        for _ in 0..<count { set(random.below(9), of: object, number) }
    }

    mutating func set(_ place: Int, of object: Exhibit, _ number: Int) {
        var piece = museum.pieces[number]!
        switch place {
        case 0, 1: piece.shelf = Pool.shelf(&random)
        case 2: piece.code = Pool.text(&random)
        case 3: piece.note = Pool.note(&random)
        case 4: piece.price = Pool.price(&random)
        case 5: piece.weight = Pool.weight(&random)
        case 6: piece.epoch = Pool.epoch(&random)
        case 7: piece.isLent.toggle()
        default:
            object.glances += 1
            if piece.kind == .painting { piece.width = random.below(3) }
        }
        write(piece, to: object)
        museum.pieces[number] = piece
        log += "\(number).\(place) "
    }

    /// Assigns every attribute. Assigning an equal value is no change.
    func write(_ piece: PlainMuseum.Piece, to object: Exhibit) {
        object.shelf = piece.shelf
        object.code = piece.code
        object.note = piece.note
        object.price = PlainFilter.Term.decimal(piece.price)
        object.weight = piece.weight
        object.epoch = piece.epoch
        object.isLent = piece.isLent
        (object as? Painting)?.width = piece.width
    }

    mutating func edit() throws {
        guard let number = exhibit() else { return }
        if !touched.contains(.exhibit(number)) { edited.insert(number) }
        touched.insert(.exhibit(number))
        try setSome(of: object(number), number, count: 1 + random.below(2))
    }

    mutating func delete() throws {
        let taboo = taboo
        guard
            let number = exhibit({ piece in
                piece.wing.map { !taboo.contains(.wing($0)) } ?? true
            })
        else { return }
        touched.insert(.exhibit(number))
        if let wing = museum.pieces[number]!.wing { touched.insert(.wing(wing)) }
        try object(number).delete()
        museum.remove(number)
        log += "-\(number) "
    }

    mutating func copy() throws {
        let taboo = taboo
        guard
            let number = exhibit({ piece in
                piece.wing.map { !taboo.contains(.wing($0)) } ?? true
            })
        else { return }
        let copied = takeNumber()
        let object = try object(number).copy(with: \.wing, \.themes)
        object.number = copied
        var piece = museum.pieces[number]!
        piece.key = object.objectID.key
        piece.wing = nil
        let wing = museum.pieces[number]!.wing
        museum.pieces[copied] = piece
        museum.lead(copied, to: wing)
        touched.insert(.exhibit(copied))
        if let wing { touched.insert(.wing(wing)) }
        log += "\(number)→\(copied) "
    }

    mutating func findOrCreate() throws {
        let known = random.chance(50) ? exhibit() : nil
        let number = known ?? takeNumber()
        let object = try Exhibit.findFirstOrCreate(by: \.number, number, in: context)
        if known == nil {
            museum.pieces[number] = PlainMuseum.Piece(kind: .exhibit, key: object.objectID.key)
        } else if object.objectID.key != museum.pieces[number]!.key {
            throw QuestionFailure(description: "exhibit \(number) was made a second time")
        }
        if known != nil && !touched.contains(.exhibit(number)) { edited.insert(number) }
        touched.insert(.exhibit(number))
        try setSome(of: object, number, count: 1)
    }
}
