import {
  GraphThresholdsStyleConfigBuilder,
  GraphThresholdsStyleMode,
  ReduceDataOptionsBuilder,
  VizLegendOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import {
  type Dashboard,
  DashboardBuilder,
  DatasourceVariableBuilder,
  RowBuilder,
  ThresholdsConfigBuilder,
  ThresholdsMode,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as NumberBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as ChartBuilder } from '@grafana/grafana-foundation-sdk/timeseries';
import { type PanelSpec, ROWS } from './panels.ts';

/** Grafana's grid is 24 units wide. */
const NUMBER = { width: 4, height: 4 };
const CHART = { width: 8, height: 8 };

/** Whichever Prometheus is chosen at the top of the dashboard. */
const DATASOURCE = { type: 'prometheus', uid: '$' + '{datasource}' };

/** The dashboard as Grafana imports it, built with Grafana's own library, which knows what it accepts. */
export function buildDashboard(): Dashboard {
  const dashboard = new DashboardBuilder('Design Request')
    .uid('design-request')
    .tags(['design-request'])
    .time({ from: 'now-3h', to: 'now' })
    .refresh('30s')
    .timezone('browser')
    .withVariable(
      new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'),
    );
  let id = 0;
  for (const { title, kind, panels } of ROWS) {
    id += 1;
    dashboard.withRow(new RowBuilder(title).id(id));
    for (const panel of panels) {
      id += 1;
      dashboard.withPanel((kind === 'numbers' ? number(panel) : chart(panel)).id(id));
    }
  }
  return dashboard.build();
}

const queriesOf = ({ queries }: PanelSpec) =>
  queries.map(({ expr, legend }, index) =>
    new DataqueryBuilder()
      .expr(expr)
      .legendFormat(legend)
      .refId(String.fromCharCode('A'.charCodeAt(0) + index))
      .datasource(DATASOURCE),
  );

/** Red from the limit on. */
const limitOf = ({ limit }: PanelSpec) =>
  new ThresholdsConfigBuilder()
    .mode(ThresholdsMode.Absolute)
    .steps([
      { value: null, color: 'green' },
      ...(limit === undefined ? [] : [{ value: limit, color: 'red' }]),
    ]);

function number(panel: PanelSpec): NumberBuilder {
  return new NumberBuilder()
    .title(panel.title)
    .description(panel.description)
    .unit(panel.unit)
    .datasource(DATASOURCE)
    .targets(queriesOf(panel))
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']))
    .thresholds(limitOf(panel))
    .span(NUMBER.width)
    .height(NUMBER.height);
}

function chart(panel: PanelSpec): ChartBuilder {
  return new ChartBuilder()
    .title(panel.title)
    .description(panel.description)
    .unit(panel.unit)
    .min(0)
    .datasource(DATASOURCE)
    .targets(queriesOf(panel))
    .thresholds(limitOf(panel))
    .thresholdsStyle(new GraphThresholdsStyleConfigBuilder().mode(GraphThresholdsStyleMode.Line))
    .legend(new VizLegendOptionsBuilder().showLegend(true))
    .span(CHART.width)
    .height(CHART.height);
}
