import FoundationEssentials
import RecordStack

extension PlainMuseum {
    /// Reads everything that a context shows.
    init(reading context: ManagedObjectContext) throws {
        for wing in try Wing.find(in: context) {
            halls[wing.number] = Hall(
                key: wing.objectID.key, name: wing.name, floor: wing.floor,
                members: wing.exhibits.map(\.number))
        }
        for object in try Exhibit.find(in: context) {
            pieces[object.number] = Piece(
                kind: object is Painting ? .painting : object is Statue ? .statue : .exhibit,
                key: object.objectID.key, shelf: object.shelf, code: object.code,
                note: object.note, price: Int("\(object.price * 4)") ?? .min,
                weight: object.weight, epoch: object.epoch, isLent: object.isLent,
                width: (object as? Painting)?.width ?? 0, wing: object.wing?.number,
                themes: Set(object.themes.map(\.number)))
        }
        for theme in try Theme.find(in: context) { ranks[theme.number] = theme.rank }
    }

    /// Copies changed objects from another museum.
    mutating func take(_ changed: Set<Touched>, from other: PlainMuseum) {
        for change in changed {
            switch change {
            case .exhibit(let number): pieces[number] = other.pieces[number]
            case .wing(let number): halls[number] = other.halls[number]
            case .theme(let number): ranks[number] = other.ranks[number]
            }
        }
    }
}
