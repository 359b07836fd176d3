/// All workloads, in the order of their numbers.
enum Workloads {
    static let all: [any Workload] = [
        W1(), W2(), W3(), W4(), W5(), W6(), W7(), W8(), W9(), W10(), W11(), W12(), W13(), W14(),
        W15(),
        W16(),
        W17(),
        W18(), W19(), W20(), W21(), W22(), W23(), W24(),
        W25(), W26(), W27(), W28(), W29(), W30(), W31(),
        W38(), W39(), W40(),
    ]
}
