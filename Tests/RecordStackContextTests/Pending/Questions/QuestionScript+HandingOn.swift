import RecordStack
import TestSupport

extension QuestionScript {
    func push(from level: Int) throws {
        try contexts[level].push()
        let changed = touched[level]
        shown[level - 1].take(changed, from: shown[level])
        for case .exhibit(let number) in changed {
            let isPlain =
                edited[level].contains(number)
                && (!touched[level - 1].contains(.exhibit(number))
                    || edited[level - 1].contains(number))
            if isPlain {
                edited[level - 1].insert(number)
            } else {
                edited[level - 1].remove(number)
            }
        }
        touched[level - 1].formUnion(changed)
        (touched[level], edited[level]) = ([], [])
    }

    func rollBack(_ level: Int, resets: Bool) throws {
        if touched[(level + 1)...].contains(where: { !$0.isEmpty }) || underWay != nil { return }
        if resets {
            held = []
            contexts[level].reset()
        } else {
            contexts[level].rollback()
        }
        shown[level] = below(level)
        for deeper in level..<Self.levels { shown[deeper] = shown[level] }
        (touched[level], edited[level]) = ([], [])
    }

    func refresh(_ level: Int, gives: Bool, _ random: inout Seeded) throws {
        let deeper = touched[(level + 1)...].reduce(into: Set()) { $0.formUnion($1) }
        let fit = edited[level].sorted().filter { number in
            let wing = shown[level].pieces[number]?.wing
            let isAlone =
                wing == below(level).pieces[number]?.wing
                && wing.map { !touched[level].contains(.wing($0)) } ?? true
            return !deeper.contains(.exhibit(number)) && isAlone
        }
        guard underWay == nil, !fit.isEmpty else { return }
        let number = fit[random.below(fit.count)]
        guard let object = try Exhibit.findFirst(by: \.number, number, in: contexts[level]) else {
            throw QuestionFailure(description: "exhibit \(number) is missing")
        }
        try contexts[level].refresh(object, mergingChanges: !gives)
        if !gives { return }
        log.append("\(level): gave \(number) up")
        var museum = shown[level]
        museum.pieces[number] = below(level).pieces[number]
        spread(museum, from: level, [.exhibit(number)])
        edited[level].remove(number)
        touched[level].remove(.exhibit(number))
    }

    /// Replaces the grandchild.
    func renew() {
        guard touched[2].isEmpty, underWay == nil else { return }
        contexts[2] = contexts[1].newChild(name: "grandchild")
    }
}
