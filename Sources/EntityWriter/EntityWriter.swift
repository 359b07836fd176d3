#if Macros
    import Foundation

    /// Expands the macros in folders of entities.
    ///
    /// The command `swift package write-entities` runs this tool.
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

    /// Reports that the trait `Macros` is off.
    ///
    /// Without the trait, the package has no swift-syntax to expand macros with.
    @main
    struct EntityWriter {
        static func main() {
            print("error: Writing entities needs RecordStack's trait Macros, which is off.")
            exit(1)
        }
    }
#endif
