import RecordStack
import TestSupport

extension QuestionScript {
    func below(_ level: Int) -> PlainMuseum {
        level > 0 ? shown[level - 1] : underWay?.museum ?? stored
    }

    func edit(_ kind: QuestionStep.Kind, _ level: Int, _ random: Seeded) throws {
        var taboo: Set<Touched> = []
        for deeper in touched[(level + 1)...] { taboo.formUnion(deeper) }
        // The test does not edit on top of objects that an ancestor is saving.
        if let underWay, underWay.level > level { taboo.formUnion(underWay.touched) }
        var editor = MuseumEditor(
            contexts[level], shown[level], taboo: taboo, random: random, nextNumber: nextNumber)
        defer { nextNumber = editor.nextNumber }
        try editor.apply(kind)
        log.append("\(level): \(editor.log)")
        spread(editor.museum, from: level, editor.touched)
        note(editor, at: level)
    }

    /// Copies a level's changes to the levels below it.
    func spread(_ museum: PlainMuseum, from level: Int, _ changed: Set<Touched>) {
        shown[level] = museum
        for deeper in (level + 1)..<max(Self.levels, level + 1) {
            shown[deeper].take(changed, from: museum)
        }
    }

    func note(_ editor: MuseumEditor, at level: Int) {
        for change in editor.touched {
            guard case .exhibit(let number) = change else { continue }
            let wasPlain = !touched[level].contains(change) || edited[level].contains(number)
            if editor.edited.contains(number) && wasPlain {
                edited[level].insert(number)
            } else {
                edited[level].remove(number)
            }
        }
        touched[level].formUnion(editor.touched)
    }
}
