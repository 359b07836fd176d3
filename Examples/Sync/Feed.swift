import Foundation

/// The shop's responses on Monday and on Tuesday.
enum Feed {
    static let monday = Data(
        #"""
        {"page": 1, "products": [
          {"sku": "K-1", "titles": {"en": "Kettle", "de": "Kessel"}, "price_cents": 2490,
           "released": "07.02.2018", "tags": ["kitchen"], "maker": {"id": 7, "name": "Ironworks"},
           "reviews": [{"id": 1, "stars": 5}, {"id": 2, "stars": 3, "text": "loud"}]},
          {"sku": "L-1", "title": "Lamp", "price_cents": "1999", "released": "2020-05-01", "maker_id": 7,
           "reviews": [{"id": 3, "stars": 4}]},
          {"sku": "M-1", "titles": null, "title": "Mug", "price_cents": 450, "maker_id": 8},
          {"sku": null, "title": "Nobody knows"},
          {"sku": "N-1", "title": "Napkins", "price_cents": "cheap", "released": "soon"}
        ]}
        """#.utf8)

    static let tuesday = Data(
        #"""
        {"page": 1, "products": [
          {"sku": "K-1", "titles": {"en": "Kettle", "de": "Kessel"}, "price_cents": 2290,
           "tags": ["kitchen", "sale"], "maker_id": 7,
           "reviews": [{"id": 2, "stars": 4, "text": "less loud"}, {"id": 4, "stars": 5}]},
          {"sku": "L-1", "title": "Lamp", "price_cents": 1999, "released": "2020-05-01", "maker_id": 7},
          {"sku": "O-1", "title": "Oven", "maker": {"id": 8, "name": "Hearth & Sons"}}
        ]}
        """#.utf8)
}
