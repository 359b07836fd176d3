import RecordStack
import TestSupport

extension MuseumEditor {
    mutating func createWing() throws {
        guard let number = (1...Pool.halls).first(where: { museum.halls[$0] == nil }),
            !taboo.contains(.wing(number)), !touched.contains(.wing(number))
        else { return }
        let object = try Wing.create(in: context, number: number)
        museum.halls[number] = PlainMuseum.Hall(key: object.objectID.key)
        touched.insert(.wing(number))
        log += "wing \(number) "
    }

    mutating func editWing() throws {
        guard let number = wing() else { return }
        let object = try wingObject(number)
        if random.chance(50) {
            museum.halls[number]!.floor = random.below(3)
        } else {
            museum.halls[number]!.name = Pool.text(&random)
        }
        object.floor = museum.halls[number]!.floor
        object.name = museum.halls[number]!.name
        touched.insert(.wing(number))
        log += "wing \(number). "
    }

    mutating func deleteWing() throws {
        guard random.chance(40), let number = wing() else { return }
        let members = museum.halls[number]!.members
        if members.contains(where: { taboo.contains(.exhibit($0)) }) { return }
        try wingObject(number).delete()
        touched.insert(.wing(number))
        for member in members { touched.insert(.exhibit(member)) }
        museum.removeHall(number)
        log += "-wing \(number) "
    }

    mutating func relate(isPlaced: Bool) throws {
        let taboo = taboo
        guard
            let number = exhibit({ piece in
                piece.wing.map { !taboo.contains(.wing($0)) } ?? true
            })
        else { return }
        let object = try object(number)
        guard let wing = wing() else { return }
        if !isPlaced { return try lead(object, number, to: random.chance(25) ? nil : wing) }
        if let old = museum.pieces[number]!.wing { touched.insert(.wing(old)) }
        touched.formUnion([.exhibit(number), .wing(wing)])
        edited.remove(number)
        let index = random.below(4)
        try wingObject(wing).exhibits.insert(object, at: index)
        museum.place(number, in: wing, at: index)
        log += "\(number)@\(wing) "
    }

    mutating func lead(_ object: Exhibit, _ number: Int, to wing: Int?) throws {
        if let old = museum.pieces[number]!.wing { touched.insert(.wing(old)) }
        if let wing { touched.insert(.wing(wing)) }
        touched.insert(.exhibit(number))
        edited.remove(number)
        object.wing = try wing.map(wingObject)
        museum.lead(number, to: wing)
        log += "\(number)>\(wing ?? 0) "
    }

    mutating func mark() throws {
        guard let number = exhibit() else { return }
        let theme = 1 + random.below(Pool.themes)
        let object = try object(number)
        guard let mark = try Theme.findFirst(by: \.number, theme, in: context) else {
            throw QuestionFailure(description: "theme \(theme) is missing")
        }
        touched.insert(.exhibit(number))
        edited.remove(number)
        if museum.pieces[number]!.themes.remove(theme) != nil {
            object.themes.remove(mark)
        } else {
            museum.pieces[number]!.themes.insert(theme)
            object.themes.insert(mark)
        }
        log += "\(number)#\(theme) "
    }

    mutating func editTheme() throws {
        let theme = 1 + random.below(Pool.themes)
        if taboo.contains(.theme(theme)) { return }
        guard let object = try Theme.findFirst(by: \.number, theme, in: context) else {
            throw QuestionFailure(description: "theme \(theme) is missing")
        }
        let rank = random.below(4)
        object.rank = rank
        museum.ranks[theme] = rank
        touched.insert(.theme(theme))
        log += "theme \(theme). "
    }
}
