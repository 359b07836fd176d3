#if Macros
    import Foundation

    /// The tool that `swift package write-entities` runs: expands the macros in folders of entities.
    @main
    struct EntityWriter {
        static func main() {
            let arguments = CommandLine.arguments.dropFirst()
            let folders = arguments.filter { $0 != "--check" }
            do {
                let isChecking = arguments.contains("--check")
                var isRight = true
                for folder in try folders.map(EntityFolder.init(path:)) {
                    isRight = try (isChecking ? folder.check() : folder.write()) && isRight
                }
                exit(isRight ? 0 : 1)
            } catch {
                print("error: \(error)")
                exit(1)
            }
        }
    }
#else
    import Foundation

    /// Without the trait `Macros`, the package has no swift-syntax to expand macros with.
    @main
    struct EntityWriter {
        static func main() {
            print("error: Writing entities needs RecordStack's trait Macros, which is off.")
            exit(1)
        }
    }
#endif
