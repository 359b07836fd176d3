import RecordStack
import TestSupport

/// A condition on houses for the library and in plain Swift.
indirect enum HouseFilter: CustomStringConvertible {
    case number(Int), city(String), cityIsNot(String), sizeBelow(Int), noCity
    case country(String?), cityAndCountry(String, String), namedAlike
    case hasRoom(Int), hasNoRoom(Int), hasRoomOfAnyone
    case both(HouseFilter, HouseFilter), either(HouseFilter, HouseFilter), not(HouseFilter)

    func isTrue(for house: House) -> Bool {
        switch self {
        case .number(let number): house.number == number
        case .city(let name): house.city?.name == name
        case .cityIsNot(let name): house.city?.name != name
        case .sizeBelow(let size): house.city.map { $0.size < size } ?? false
        case .noCity: house.city == nil
        case .country(let name): house.city?.country?.name == name
        case .cityAndCountry(let city, let country):
            house.city?.name == city && house.city?.country?.name == country
        case .namedAlike: house.city?.name == house.city?.country?.name
        case .hasRoom(let size): house.rooms.contains { $0.size == size }
        case .hasNoRoom(let size): !house.rooms.contains { $0.size == size }
        case .hasRoomOfAnyone: house.rooms.contains { $0.house?.number == $0.size }
        case .both(let a, let b): a.isTrue(for: house) && b.isTrue(for: house)
        case .either(let a, let b): a.isTrue(for: house) || b.isTrue(for: house)
        case .not(let a): !a.isTrue(for: house)
        }
    }

    func filter(_ house: FilterProxy<House>) -> Filter {
        switch self {
        case .number(let number): house.number == number
        case .city(let name): house.city.name == name
        case .cityIsNot(let name): house.city.name != name
        case .sizeBelow(let size): house.city.size < size
        case .noCity: house.city == nil
        case .country(let name): house.city.country.name == name
        case .cityAndCountry(let city, let country):
            house.city.name == city && house.city.country.name == country
        case .namedAlike: house.city.name == house.city.country.name
        case .hasRoom(let size): house.rooms.any { $0.size == size }
        case .hasNoRoom(let size): house.rooms.none { $0.size == size }
        case .hasRoomOfAnyone: house.rooms.any { $0.house.number == $0.size }
        case .both(let a, let b): a.filter(house) && b.filter(house)
        case .either(let a, let b): a.filter(house) || b.filter(house)
        case .not(let a): !a.filter(house)
        }
    }

    static func random(_ random: inout Seeded, depth: Int = 2) -> HouseFilter {
        if depth > 0 && random.chance(60) {
            let a = Self.random(&random, depth: depth - 1)
            if random.chance(25) { return .not(a) }
            let b = Self.random(&random, depth: depth - 1)
            return random.chance(70) ? .both(a, b) : .either(a, b)
        }
        switch random.below(13) {
        case 0: return .number(random.below(4))
        case 1, 2: return .city(name(&random))
        case 3: return .cityIsNot(name(&random))
        case 4: return .sizeBelow(random.below(4))
        case 5: return .noCity
        case 6, 7: return .country(random.chance(20) ? nil : name(&random))
        case 8: return .cityAndCountry(name(&random), name(&random))
        case 9: return .namedAlike
        case 10: return .hasRoom(random.below(4))
        case 11: return .hasNoRoom(random.below(4))
        default: return .hasRoomOfAnyone
        }
    }

    static func name(_ random: inout Seeded) -> String {
        ["a", "b", "c"].randomElement(using: &random)!
    }

    var description: String {
        switch self {
        case .both(let a, let b): "(\(a) && \(b))"
        case .either(let a, let b): "(\(a) || \(b))"
        case .not(let a): "!\(a)"
        case .number(let number): "number \(number)"
        case .city(let name): "city \(name)"
        case .cityIsNot(let name): "city not \(name)"
        case .sizeBelow(let size): "size below \(size)"
        case .noCity: "no city"
        case .country(let name): "country \(name ?? "nil")"
        case .cityAndCountry(let city, let country): "\(city) in \(country)"
        case .namedAlike: "named alike"
        case .hasRoom(let size): "room \(size)"
        case .hasNoRoom(let size): "no room \(size)"
        case .hasRoomOfAnyone: "room of its own number"
        }
    }
}
