/// The vocabulary of the generated site, with fictional people, forums and subjects.
enum WordLists {
  static let groups = ["Harbour", "Workshop", "Library", "Observatory", "Greenhouse", "Attic"]

  /// The forum names, each with the short form that narrow lists show.
  static let forums: [(name: String, short: String)] = [
    ("The Long Pier", "Pier"), ("Boats & Knots", "Boats"), ("Weather Eye", "Weather"),
    ("Kites, Gliders & Balloons", "Kites"), ("Bread and Other Ovens", "Bread"),
    ("Small Engines", "Engines"), ("The Paper Mill", "Paper"), ("Lantern Makers", "Lanterns"),
    ("Maps of Nowhere", "Maps"), ("Clockwork", "Clocks"), ("Night Sky", "Sky"),
    ("Garden Walls", "Garden"), ("Old Radios", "Radios"), ("Puzzle Box", "Puzzles"),
    ("Café Marmelade", "Café"), ("Bicycles Uphill", "Bicycles"), ("Tea & Thermometers", "Tea"),
    ("The Quiet Room", "Quiet"), ("Signal Flags", "Flags"), ("Model Railways", "Rails"),
    ("Letterpress", "Letters"), ("Mushroom Walks", "Walks"), ("Stone Skipping", "Stones"),
    ("Lost Umbrellas", "Umbrellas"),
  ]

  static let tags = [
    "question", "guide", "photos", "repair", "history", "news", "project", "swap", "recipe",
    "advice", "report", "trip", "tools", "music", "games", "books", "maps", "weather", "chat",
    "review",
  ]

  /// The second icons of the forums that have them.
  static let secondTags = ["wanted", "offered", "lent", "gone"]

  static let adjectives = [
    "quiet", "brass", "amber", "crooked", "patient", "salty", "woollen", "hollow", "copper",
    "distant", "gentle", "striped", "muddy", "northern", "paper", "round", "silver", "stubborn",
    "tidy", "velvet", "wandering", "frosty", "humble", "leaky",
  ]

  static let creatures = [
    "heron", "otter", "lantern", "kettle", "badger", "compass", "sparrow", "teapot", "walrus",
    "thistle", "anchor", "beetle", "puffin", "marmot", "bellows", "curlew", "lynx", "acorn",
    "trombone", "gecko", "pelican", "cricket", "mitten", "turnip",
  ]

  static let things = [
    "rudder", "loaf", "gearbox", "barometer", "telescope", "kite string", "tide table",
    "hand plane", "oil lamp", "tomato frame", "valve", "puzzle lid", "bicycle bell", "tea tin",
    "signal flag", "branch line", "type case", "garden gate", "stone wall", "umbrella stand",
    "crème brûlée torch", "pocket map", "wind vane", "water wheel",
  ]

  static let places = [
    "the east quay", "a shed in the hills", "the reading room", "my grandmother's attic",
    "the night ferry", "Łódź", "the café by the lock", "the second island", "the old mill",
    "a very small kitchen", "the tram depot", "the north beach",
  ]

  static let verbs = [
    "repaired", "painted", "measured", "dismantled", "photographed", "lost", "borrowed",
    "rebuilt", "sketched", "weighed", "polished", "carried home",
  ]
}
