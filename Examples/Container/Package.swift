// swift-tools-version: 6.2
import PackageDescription

/// Set where there is no time for swift-syntax, as in the Dockerfile: entities are then compiled as
/// `swift package write-entities` has written them, without macros.
let isWritten = Context.environment["WRITTEN_ENTITIES"] != nil

let package = Package(
    name: "Container",
    platforms: [.macOS(.v15)],
    dependencies: [
        // A path and a name, so that it builds in a clone of any name.
        .package(name: "RecordStack", path: "../..", traits: isWritten ? [] : [.defaults])
    ],
    targets: [
        .executableTarget(
            name: "Container",
            dependencies: [.product(name: "RecordStack", package: "RecordStack")],
            exclude: [isWritten ? "Entities" : "Entities.written"],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .treatAllWarnings(as: .error),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InferIsolatedConformances"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ]
        )
    ]
)
