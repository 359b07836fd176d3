#if DEBUG
    import RecordStack
    import TestSupport
    import Testing

    /// Compares changes of object flags with recorded ones: the flags before and after each write,
    /// and the function that wrote them.
    ///
    /// `RECORDSTACK_RECORD=1 swift test --filter FlagTransitionTests` rewrites the files. Only
    /// debug builds report changes of flags.
    @MainActor @Suite("Recorded object flags") struct FlagTransitionTests {
        private static let rounds = 120
        private static let length = 60

        /// Writes the file, or compares it with the observed changes.
        private func check(_ transitions: FlagTransitions, _ name: String) throws {
            let (file, lines) = (RecordedLines(name), transitions.lines)
            if RecordedLines.isRecording { return try file.write(lines) }
            let recorded = try file.read()
            let new = Set(lines).subtracting(recorded).sorted()
            let missing = Set(recorded).subtracting(lines).sorted()
            #expect(new.isEmpty, "new:\n\(new.joined(separator: "\n"))")
            #expect(missing.isEmpty, "no longer seen:\n\(missing.joined(separator: "\n"))")
        }

        /// Bases save blocks of the stack on the topmost context, and awaits nothing.
        @Test func `random blocking saves change the internal flags of objects as recorded`() throws
        {
            let transitions = FlagTransitions()
            for seed in 1...Self.rounds {
                let script = try FlagScript(
                    Seeded(seed: UInt64(seed)), isNested: true, bringsBack: true, transitions)
                for _ in 0..<Self.length { script.step() }
                try script.close()
            }
            try check(transitions, "Recorded/waited.txt")
        }

        /// Runs a script whose saves are held while their contexts are edited.
        private func runAwaited(
            _ seed: UInt64, bringsBack: Bool, _ transitions: FlagTransitions
        ) async throws {
            let script = try FlagScript(
                Seeded(seed: seed), isNested: false, bringsBack: bringsBack, transitions)
            for _ in 0..<Self.length {
                if script.random.chance(10) { await script.heldSave() } else { script.step() }
            }
            try script.close()
        }

        @Test func `random awaited saves change the internal flags of objects as recorded`()
            async throws
        {
            let transitions = FlagTransitions()
            for seed in 1...Self.rounds {
                try await runAwaited(UInt64(1_000 + seed), bringsBack: false, transitions)
            }
            try check(transitions, "Recorded/awaited.txt")
        }

        @Test func `an awaited save returns even if its rows are re-inserted meanwhile`()
            async throws
        {
            try await runAwaited(1_043, bringsBack: true, FlagTransitions())
        }

        /// Runs the cases of the recorded merges.
        @Test func `merging commits changes the internal flags of objects as recorded`() throws {
            let transitions = FlagTransitions()
            for way in MergeWay.allCases {
                let cases = MergeCase.all(isWhole: true, isWide: true).filter {
                    !way.isAgainstParent || $0.theirs != .bringsBack
                }
                for property in MergedProperty.whole.suffix(2) {
                    for (_, policy) in MergeWay.policies {
                        let scene = try MergeScene(
                            way, property, cases, flagObserver: transitions.observer)
                        try scene.change()
                        if way.isMerged { _ = try scene.merged() }
                        _ = try scene.decided(by: policy)
                    }
                }
            }
            try check(transitions, "Recorded/merges.txt")
        }
    }
#endif
