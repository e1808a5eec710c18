"""Figures that the solver reads, in the words of many domains: among the candidates one computes the stated figure."""

import pytest

from compute.mining.quantities import sentences
from tests.bench.bench_mining import passage
from tests.compute.test_mine_relations import computes, fitting

MILLIONS = [
    ("part", "The depot shipped 13m parcels last year, and 5.2m of those went by rail, or 40%.", "40%"),
    ("rise", "Monthly listeners, 500m in March and 950m in June, are up 90%.", "90%"),
    ("product", "3.1m API calls at $0.002 come to $6,200.", "$6,200"),
    ("quotient", "Known stocks of 480m barrels, drawn down at 32m a year, last 15 years.", "15 years"),
    ("taken", "The fund manages $12trn and holds 7% of it, or $840bn, abroad.", "$840bn"),
    ("product", "They packed 72 trays of 30 eggs, which makes 180 dozen.", "180 dozen"),
]  # fmt: skip  # one relation a line

GLUED = [
    ("quotient", "The van does 300km in 4h, so 75km/h.", "75"),
    ("product", "Two bags of 25kg make 50kg.", "50"),
    ("product", "The room is 5m by 4m, so 20m² of floor.", "20"),
    ("quotient", "A bottle of 750ml costs £6, i.e. £8 a litre.", "£8"),
    ("sum", "Mix 200g of flour and 100g of sugar: 300g.", "300"),
    ("product", "30 pallets at 800 kg: 24 t in all.", "24"),
    ("mean", "Rye at three farms: 7.2, 8.4 and 6.9 t/ha. Our three-farm average is 7.5.", "7.5"),
]  # fmt: skip  # one relation a line

NAMED = [
    ("named", "At 165 cm and 68 kg her body-mass index is 25.", "25"),
    ("named", "He made 45 off 30 balls, a strike rate of 150.", "150"),
    ("named", "With 210 of 400 seats they hold a majority of 20.", "20"),
    ("named", "A council of 61 needs 31 votes for a majority.", "31"),
    ("named", "Deaths fell from 5% to 4%, so 100 people must be treated to save one.", "100"),
    ("named", "Promoters 60%, detractors 25%: an NPS of 35.", "35"),
    ("named", "Ten wins and six draws put them on 36 points.", "36 points"),
    ("named", "After two half-lives 25 mg of the 100 mg dose remains.", "25"),
    ("named", "With a half-life of 6 hours, 200 mg becomes 50 mg after 12 hours.", "50"),
    ("named", "After five doublings 100 cells are 3,200.", "3,200"),
    ("named", "An 8-bit channel has 256 levels.", "256"),
    ("named", "We throw a die 300 times and expect 50 fives.", "50"),
    ("named", "2 litres of 5% sugar solution contain 100 g of sugar.", "100"),
    ("named", "ARR of $20m, upsell of $3m and churn of $1m: a net retention of 110%.", "110%"),
    ("named", "Exposure in 20 of 100 cases and 10 of 100 controls: an odds ratio of 2.25.", "2.25"),
    ("reversed", "After a fall of a fifth, shares have to gain 25% to be back at par.", "25%"),
    ("reversed", "A 25% faster line needs 20% less time.", "20%"),
    ("root", "Sales went from $2m to $3.38m in four years, compound growth of 14% a year.", "14%"),
    ("root", "Listeners rose from 40m in 2018 to 160m in 2020, doubling every year.", "doubling"),
    ("root", "The lot was worth 1.331 times its cost after three years, a compound 10% a year.", "10%"),
    ("grown", "At 50% a year for four years income ends up at five times the first.", "five times"),
    ("grown", "The archive grows 5% a month. Our 400 TB will be 718 TB this time next year.", "718"),
    ("quotient", "A park of 150 MW fed 394 GWh into the grid in 8,760 hours, a load factor of 30%.", "30%"),
]  # fmt: skip  # one relation a line

WORDED = [
    ("quotient", "Gone 45 km in 1 h 30 ⇒ 30 km/h.", "30"),
    ("difference", "The whole trip took 9 h 35, with a stop of 1 h 50 ⇒ 7 h 45 on the move.", "7 h 45"),
    ("part", "Free throws 15/20 (75%), so the bench was calm.", "75%"),
    ("part", "On time in wk 41: 380/400 → 95%", "95%"),
    ("product", "Sold 230 goats at £40 a head: £9,200.", "£9,200"),
    ("run", "Oats: 7,000 l @ 42 ct → €2,940", "€2,940"),
    ("rise", "Ticket sales reached kr8.4bn against kr6bn before, up 40%.", "40%"),
    ("exchanged", "130 euros at 11 kronor each: 1,430 kr", "1,430 kr"),
    ("part", "Of five million trees, a million and a quarter, or 25%, are pines.", "25%"),
    ("product", "Half a kilo a week for 12 weeks: 6 kg.", "6"),
    ("parts", "Mix it 40:1: with 20 litres of petrol goes half a litre of oil.", "half a"),
    ("cut", "Four nines in a 30-day month leave 4.32 minutes of outage.", "4.32 minutes"),
    ("quotient", "Sunday: €9,300 through 620 receipts, so €15 each.", "€15"),
]  # fmt: skip  # one relation a line

RELATED = [
    ("raised", "The rate of 40% rose by 12 points to 52%.", "52%"),
    ("cut", "The share fell 5 percentage points from 30% to 25%.", "25%"),
    ("quotient", "Our flat has 80 square metres and rents for EUR 960. A square metre is EUR 12.", "EUR 12"),
    ("quotient", "It answered 200 million calls for $90,000. Per thousand calls, that's 45 cents.", "45 cents"),
    ("quotient", "Sunday: €9,300 from 620 receipts, so €15 a basket.", "€15"),
    ("quotient", "At 50 cents per million, a dollar buys 2 million tokens.", "2 million tokens"),
    ("quotient", "One node makes 6M tokens/h at $1.50/h. So 4M tokens per dollar.", "4M"),
    ("quotient", "Fifty tokens a second means one every 20 ms.", "20 ms"),
    ("quotient", "One lap takes 1.5 h, hence 16 laps a day.", "16"),
    ("quotient", "With U = 24 V and R = 480 Ω, I = 50 mA.", "50"),
    ("convert", "The wells give 85,000 barrels a day. In April that is 2.55 million barrels.", "2.55 million"),
    ("product", "We have 20 seats at $30 per seat per month, billed yearly, so the cheque was for $7,200.", "$7,200"),
    ("mean", "Their share rose eight points while ours dropped six: a swing of seven.", "seven"),
    ("gap", "Turnout fell to 31% from 38, seven points down.", "seven"),
    ("part", "Of 8,000 visitors the till rang 1,200 times, meaning 15%.", "15%"),
    ("times of times", "For 35% more money it is 8% faster: 0.8 times the speed per dollar.", "0.8 times"),
    ("times of times", "Prices fell by 60% and use grew four-fold, so we pay 1.6 times as much.", "1.6 times"),
    ("part", "The blight hit 360 of the 4,000 pears, nine in every hundred.", "nine in every hundred"),
    ("fall", "The hall holds 2,500 and 2,250 came, so one seat in ten was empty.", "one seat in ten"),
    ("parts", "On a 1:25,000 map the lake is 8 cm long, so 2 km.", "2"),
    ("exchanged", "He changed £200 at 1.15 and walked away with €230.", "€230"),
    ("elapsed", "She finished in 1:30:40 and he in 1:31:04, 24 seconds later.", "24 seconds"),
    ("elapsed", "The fault began at 09:35 and ended at 10:34: 59 minutes.", "59 minutes"),
    ("saving", "The fee went from £480 to £720, so we pay £20 a month more.", "£20"),
    ("convert", "The reef has shrunk by 1.2 km since 1990; by 2020 this was 40 metres a year.", "40"),
    ("convert", "The rule asks for 4,200 seconds a week: it is ten minutes a day.", "ten minutes"),
    ("blend", "100 parcels took 3 days and 300 took 5, so the mean is 4.5 days.", "4.5 days"),
    ("blend", "We pay $4 per million for 100 million tokens and $1 for another 300 million: $1.75 per million.", "$1.75"),
    ("bill", "It used 5 million input tokens at $4 and one and a half million tokens at $20: $50.", "$50"),
    ("excess", "A release took 20 hours by four testers and now takes twelve hours: 32 person-hours gained.", "32"),
    (
        "payback",
        "Our own costs $35,000 a month plus 20 cents per million tokens, the API 90 cents per million. "
        "They cross at 50,000 million tokens a month.",
        "50,000 million",
    ),
]  # fmt: skip  # one relation a line

COMBINED = [
    ("bill", "The set has eight tunes of four minutes, plus a 30-second coda: 32½ minutes in all.", "32½"),
    ("doubled", "If it doubles every six months, two years multiply it by 16.", "16"),
    ("sum taken", "Fuel came to $90, the cabin to $540 and food to $170. Split four ways, it was $200 each.", "$200"),
    ("excess", "We bought 900 seats at $20 a month. Just 400 people use them, so $10,000 a month is lost.", "$10,000"),
    ("excess", "Swapping twenty 50 W bulbs for 10 W ones that burn 1,000 hours a year saves 800 kWh.", "800 kWh"),
    ("blend", "We hold 60% bonds at 5% and 40% shares at 10%, so the fund made 7%.", "7%"),
    ("named", "Women earn $24 an hour and men $32, so for every dollar of a man a woman gets 75 cents.", "75 cents"),
    ("named", "Receivables of €60 million on sales of €730 million: buyers took 30 days to pay.", "30 days"),
    ("named", "The round pond, 6 m in diameter, has a surface of 28.3 m².", "28.3"),
    ("quotient", "The flat has 120 square metres and is on at €960,000. They ask €8,000 a metre.", "€8,000"),
    ("quotient", "540 km at 120 an hour: four and a half hours at the wheel.", "four and a half hours"),
    ("quotient", "A 2 MW mill that made 7,008 MWh over the year ran at 40%.", "40%"),
    ("convert", "We held 100 cards for a week. That is 16,800 card-hours.", "16,800"),
    ("items", "Three probes came back: Stardust, Hayabusa2 and Osiris.", "Three"),
    ("flow", "Stock: 1,100 opening, 900 received, 1,300 sold, 700 at close.", "700"),
    ("taken", "On $50,000 you would pay two percentage points less, saving $1,000.", "$1,000"),
    ("product", "A crate of 60 x 40 x 30 cm holds 72 litres.", "72"),
    ("convert", "The wreck lies at 100 fathoms, or 183 metres.", "183"),
    ("complement", "The hazard ratio was 0.72, that is a 28% lower hazard.", "28%"),
    ("saving", "It now pays €1,300 a quarter, down from €4,100. It saves €11,200 each year.", "€11,200"),
    ("part", "75% of those asked (63/84) slept better.", "75%"),
    ("quotient", "Cost of goods 1.2M, average stock 200k → 6 turns a year", "6"),
]  # fmt: skip  # one relation a line

PACED = [
    ("elapsed", "Slept 8¼ h, from 22:45 till 7:00.", "8¼"),
    ("product", "Three boards of 2½ m are 7½ m.", "7½"),
    ("quotient", "They burnt 48 litres over 600 km, eight per hundred.", "eight"),
    ("quotient", "It went 500 km on 20 litres, 4 to the hundred.", "4"),
    ("product", "It takes 8 l/100 km, so 250 km need 20 litres.", "20"),
    ("product", "There were 12 cases per 100,000 people, so 240 among 2 million.", "240"),
    ("quotient", "A 500 g jar is £4 and 250 g are £2.50: 80p per 100 g for the one and £1 for the other.", "£1"),
    ("quotient", "12 km in 60:00 → 5:00 min/km", "5:00 min"),
    ("quotient", "She ran 20 km in 1:40:00. Per kilometre that's 5:00.", "5:00."),
    ("difference", "The 5k took 27:30: first lap 14:10, so the second was 13:20.", "13:20"),
    ("quotient", "7.2 million gigabits over a 100-gigabit line: 20 hours.", "20 hours"),
]  # fmt: skip  # one relation a line

LISTED = [
    ("sum", "Lines read: header 1,400, question 90, footer 10. That is 1,500 in all.", "1,500"),
    ("sum", "Oats 310 ha, rye 140, peas 50. The estate has 500 hectares.", "500"),
    ("sum", "They sold 2,100 day tickets and 900 season passes, 3,000 in all.", "3,000"),
    ("convert", "The 480 blocked minutes are 8 hours.", "8"),
    ("bill", "That is 6 × $1.50 + large 2 × $8 = $25", "$25"),
    ("convert", "Daily 7.5 kWh, weekly 52.5.", "52.5"),
    ("product", "Two and a half hours of backups weekly, 52 weeks: 130 hours a year.", "130"),
    ("mean", "Waits were 20 min on Monday, 50 min on Tuesday, 35 min on Friday. The mean for the three days 35 min.", "35"),
    ("quotient", "A 4,500-word essay at 300 words per minute is fifteen minutes.", "fifteen"),
    ("difference", "Rents fell $3m to $21m. Fees were $4m and went up to $9m, a rise of $5m.", "$5m"),
    ("sum", "R60,000 from members and R35,500 from the city make R95,500.", "R95,500"),
    ("part of sum", "Stalls took $9,000, the bar $12,000, raffles $3,000. The bar was 50% of it.", "50%"),
    ("sum of whole", "Ana has 40 of the 120 votes in the hall. Beno has 20. Together they hold 50%.", "50%"),
    ("complement", "Market share by boats: Alva 41, Brek 24, Cord 20. All others have the remaining 15%.", "15%"),
    ("sum taken", "The phone is £20 a month, the server £35, backups £5. Over a year the three come to £720.", "£720"),
    ("sum taken", "Fuel £900, repairs £250 and insurance £350. It went 6,000 miles, so each of them cost 25p.", "25p"),
    ("sum taken", "Once the £40 deposit is taken from the £340 kitty, £50 is left for each of the six of us.", "£50"),
    ("rest taken", "The town pays 20%, the county 30% and the state 10%. Of the 50 million the club pays 20 million.", "20 million"),
    ("bill", "We made 300 mugs at $3 and sold 280 at $8. Profit: $1,340.", "$1,340"),
    ("bill", "The barn has six rows of 12 stalls and four of 15, which makes 132 places.", "132"),
    ("convert", "The mill ground 96,000 sacks in 2019, so in an average month 8,000 sacks.", "8,000 sacks"),
    ("part", "640 GPUs owned, 480 busy at noon, so 75 per cent.", "75"),
]  # fmt: skip  # one relation a line
EVERY = [*LISTED, *MILLIONS, *GLUED, *NAMED, *WORDED, *RELATED, *COMBINED, *PACED]


@pytest.mark.parametrize(("rule", "text", "stated"), EVERY)
def test_a_figure_is_read_and_computed(rule, text, stated):
    computes(rule, text, stated)


@pytest.mark.parametrize(
    "text",
    [
        "She ran the 100m hurdles and swam 400m for 5 minutes; 200m of cable lay 300m away.",
        "The wall is 12m long and 3m high; ten 400m laps go around it.",
    ],
)
def test_metres_are_no_millions(text):
    every = [one for sentence in sentences(passage(text)) for one in sentence.quantities]
    assert all(one.figure.low < 1000 for one in every)


def test_a_time_of_day_is_no_time_of_a_run():
    every = [one for sentence in sentences(passage("We met at 10:30 and ran 5 km.")) for one in sentence.quantities]
    assert [one.figure.text for one in every] == ["5"]


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("The depot shipped 13m parcels last year, and 5.2m of those went by rail, or 65%.", "65%"),
        ("The van does 300km in 4h, so 110km/h.", "110"),
        ("At 165 cm and 68 kg her body-mass index is 31.", "31"),
        ("Deaths fell from 5% to 4%, so 40 people must be treated to save one.", "40"),
        ("An 8-bit channel has 512 levels.", "512"),
    ],
)
def test_a_wrong_figure_still_fits_nothing(text, stated):
    assert fitting(text, stated)[1] == []
